"""Of a long table of cases each build tests every second or third row; the other rows are thorough tests.

Rows of one table are alike: one that fails is seldom alone, and a slice of the thorough tests (`turning.py`) meets the
others.  A table is named here if its rows take seconds together and no row stands for a kind of its own.  A test whose
rows are chosen one by one marks them itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest

EACH: Mapping[str, int] = {
    "tests/analysis/compare/test_behaviours.py": 2,
    "tests/analysis/compare/test_redundancy.py::test_the_condition_is_redundant_exactly_from_n_minus_2_on": 3,
    "tests/analysis/compare/test_reduced.py": 2,
    "tests/analysis/compare/test_steps.py": 2,
    "tests/analysis/latency/test_beyond_memory.py::test_delays_beyond_memory_are_those_in_memory": 3,
    "tests/analysis/latency/test_optimistic_claims.py": 2,
    "tests/analysis/latency/test_protocol_delays.py": 2,
    "tests/analysis/sweep/test_interrupted_sweep.py": 3,
    "tests/analysis/sweep/test_reduced_sweep.py": 3,
    "tests/analysis/sweep/test_reduced_sweep.py::test_what_full_searches_leave_open_is_decided_by_reduced_ones": 3,
    "tests/analysis/sweep/test_sweep_implied.py::test_the_verdicts_are_those_of_searching_everything": 3,
    "tests/analysis/test_queries.py::test_tables_of_a_construct": 2,
    "tests/analysis/test_since.py": 2,
    "tests/analysis/test_verify_reduced.py": 3,
    "tests/backends/native/test_native_reference_models.py": 2,
    "tests/backends/native/test_variants.py": 2,
    "tests/backends/smt/test_smt_constructs.py": 2,
    "tests/benchmarks/test_reductions.py::test_quick_rows_have_the_counts_of_the_page": 2,
    "tests/cli/test_output_places.py::test_standard_output_that_fails_is_an_error_and_one_that_nobody_reads_is_not": 2,
    "tests/documentation/test_findings_page.py::test_a_command_of_the_page_is_one_of_the_command_line": 3,
    "tests/documentation/test_findings_page.py::test_a_quick_command_ends_as_the_page_says": 2,
    "tests/documentation/test_smallest.py": 3,
    "tests/engines/spark/test_spark_engine.py::test_a_search_on_spark_tells_what_one_thread_tells": 2,
    "tests/engines/spark/test_spark_engine.py::test_the_number_of_partitions_does_not_show": 2,
    "tests/engines/test_chosen_faults.py": 3,
    "tests/engines/test_chosen_messages.py": 2,
    "tests/engines/test_commuting.py": 2,
    "tests/engines/test_dropped_messages.py": 2,
    "tests/engines/test_fitting.py": 2,
    "tests/engines/test_phases.py": 2,
    "tests/engines/test_reduced_orbits.py": 2,
    "tests/engines/test_reduced_resumed.py": 2,
    "tests/engines/test_reduction.py": 2,
    "tests/engines/test_spilling.py::test_a_model_gives_the_same_report_beyond_memory": 2,
    "tests/engines/test_survey.py": 2,
    "tests/engines/test_symmetry.py": 2,
    "tests/frontend/test_commutativity.py": 2,
    "tests/install/test_install.py::test_a_module_that_the_program_imported_itself_stays_what_it_is": 2,
    "tests/install/test_install.py::test_a_name_of_two_models_is_refused_and_each_has_another": 2,
    "tests/install/test_install.py::test_a_neighbour_with_the_name_of_a_library_is_refused": 2,
    "tests/install/test_install.py::test_pytest_reads_a_project": 2,
    "tests/install/test_install.py::test_two_projects_in_one_process_have_their_own_properties": 2,
    "tests/language/test_constructs.py": 2,
    "tests/language/test_random_models.py::test_engines_agree_on_random_models": 2,
    "tests/language/test_what_is_written.py": 2,
    "tests/models/test_early_delivery_outcomes.py": 2,
    "tests/models/test_early_delivery_routes.py": 2,
    "tests/models/test_expectations.py::test_reference_models": 2,
    "tests/models/test_reference_counts.py": 2,
    "tests/models/test_sweeps.py::test_distributions_taken_for_one_have_the_same_states": 2,
    "tests/models/test_toto_disagreement.py": 2,
    "tests/models/test_toto_disagreement.py::test_no_fewer_processors_show_it_with_any_number_of_messages": 4,
    "tests/report/gallery/test_gallery.py::test_a_stored_run_is_a_run_of_the_model_and_shows_its_violation": 4,
    "tests/search/liveness/test_leads_to.py::test_compiled_code_and_the_interpreter_find_the_same_run": 2,
    "tests/search/liveness/test_leads_to.py::test_steps_that_choose_or_receive_have_the_same_labels": 2,
    "tests/search/spark/test_work_directory.py::test_resumed_at_every_third_level_a_search_tells_the_same": 2,
    "tests/search/test_breadth_first.py::test_tables_grow_without_losing_or_doubling_states": 2,
    "tests/search/test_improving.py::test_results_do_not_depend_on_when_the_code_changes": 2,
    "tests/validation/test_validation.py::test_commands_tell_how_much_was_confirmed": 2,
    "tests/validation/test_validation.py::test_no_command_gives_a_verdict_where_a_fault_is_made": 2,
}
"""The step from one row to the next that a build tests: of one test, `file::function`, or of all tests of a file that
have LONG rows."""
LONG = 4
"""Fewer rows are seldom alike: two may be two engines."""


def left_to_thorough(items: Iterable[pytest.Item], each: Mapping[str, int] = EACH) -> None:
    """Mark the rows between those of a build.

    The tests of a file begin at different rows, so that a case that is in all their tables is in some of a build.  One
    row of each test stays at least, and rows that are marked already are not counted.
    """
    tables: dict[str, dict[str, list[pytest.Item]]] = {}
    for item in items:
        name, _, row = item.nodeid.partition("[")
        file = name.partition("::")[0]
        if row and (name in each or file in each) and item.get_closest_marker("thorough") is None:
            tables.setdefault(file, {}).setdefault(name, []).append(item)
    for file, tests in tables.items():
        for number, (name, rows) in enumerate(sorted(tests.items())):
            step = each.get(name) or (each[file] if file in each and len(rows) >= LONG else 1)
            first = number % min(step, len(rows))
            for place, item in enumerate(rows):
                if place % step != first:
                    item.add_marker("thorough")

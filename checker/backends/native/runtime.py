"""The fixed part of every kernel, in LLVM assembly: the script of choices and the noting of findings.

A script holds the position of the next choice, the number of choices made, and for each its index and how many
alternatives it had: an odometer. An action is run once for each setting; `advance` moves the last choice that can move
and forgets those behind it. So the successors come in lexicographic order of the choices, wherever the choices stand.
"""

from __future__ import annotations

CHOICES = 256
"""Most choices in one step; more are a model error."""

SCRIPT_WORDS = 2 + 2 * CHOICES

SMALL = "#0"
"""The group of attributes of small functions; `build` says what it contains."""

RUNTIME = f"""
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare i64 @llvm.ctpop.i64(i64)
declare i64 @llvm.cttz.i64(i64, i1)

; The alternative to take now; -1 if the script is full.
define internal i64 @choose(ptr %script, i64 %alternatives) nounwind {{
  %position = load i64, ptr %script
  %next = add i64 %position, 1
  store i64 %next, ptr %script
  %depth.at = getelementptr i64, ptr %script, i64 1
  %depth = load i64, ptr %depth.at
  %twice = shl i64 %position, 1
  %entries = getelementptr i64, ptr %script, i64 2
  %entry = getelementptr i64, ptr %entries, i64 %twice
  %known = icmp slt i64 %position, %depth
  br i1 %known, label %old, label %new
old:
  %index = load i64, ptr %entry
  ret i64 %index
new:
  %room = icmp slt i64 %position, {CHOICES}
  br i1 %room, label %add, label %full
add:
  store i64 %next, ptr %depth.at
  store i64 0, ptr %entry
  %size.at = getelementptr i64, ptr %entry, i64 1
  store i64 %alternatives, ptr %size.at
  ret i64 0
full:
  ret i64 -1
}}

; Make the script the next one in order; 0 if there is none (the script is then empty).
define internal i64 @advance(ptr %script) nounwind {{
  store i64 0, ptr %script
  %depth.at = getelementptr i64, ptr %script, i64 1
  %depth = load i64, ptr %depth.at
  %entries = getelementptr i64, ptr %script, i64 2
  br label %loop
loop:
  %d = phi i64 [ %depth, %0 ], [ %last, %drop ]
  %none = icmp eq i64 %d, 0
  br i1 %none, label %done, label %look
look:
  %last = sub i64 %d, 1
  %twice = shl i64 %last, 1
  %entry = getelementptr i64, ptr %entries, i64 %twice
  %index = load i64, ptr %entry
  %size.at = getelementptr i64, ptr %entry, i64 1
  %size = load i64, ptr %size.at
  %following = add i64 %index, 1
  %more = icmp slt i64 %following, %size
  br i1 %more, label %take, label %drop
drop:
  br label %loop
take:
  store i64 %following, ptr %entry
  store i64 %d, ptr %depth.at
  ret i64 1
done:
  store i64 0, ptr %depth.at
  ret i64 0
}}

; Lower first[finding] to row.
define internal void @note(ptr %first, i64 %finding, i64 %row) nounwind cold noinline {{
  %place = getelementptr i64, ptr %first, i64 %finding
  %old = load i64, ptr %place
  %less = icmp slt i64 %row, %old
  %new = select i1 %less, i64 %row, i64 %old
  store i64 %new, ptr %place
  ret void
}}
"""

"""The search on Spark: states are partitioned by hash over tasks, level by level; see docs/spark.md."""

"""newsclean on more than one machine: archives on Spark, a queue of site jobs."""

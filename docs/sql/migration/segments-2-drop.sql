-- PostgreSQL and MariaDB: drops the counters when no instance of the old version is left.
DROP TABLE leaf_alloc;

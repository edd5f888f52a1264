-- PostgreSQL and MariaDB: the counters of Leaf before the migration.
CREATE TABLE leaf_alloc (
    biz_tag VARCHAR(128) NOT NULL PRIMARY KEY,
    max_id  BIGINT NOT NULL,
    step    INTEGER NOT NULL
);
INSERT INTO leaf_alloc VALUES ('purchase', 0, 100), ('purchase_line', 0, 100);

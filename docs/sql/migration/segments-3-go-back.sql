-- PostgreSQL and MariaDB: new counters after their own last numbers, plus one step for numbers that were reserved but not used.
CREATE TABLE leaf_alloc (
    biz_tag VARCHAR(128) NOT NULL PRIMARY KEY,
    max_id  BIGINT NOT NULL,
    step    INTEGER NOT NULL
);
INSERT INTO leaf_alloc
SELECT 'purchase', COALESCE(max(id), 0) + 100, 100 FROM purchase WHERE id < 1000000000000;
INSERT INTO leaf_alloc
SELECT 'purchase_line', COALESCE(max(id), 0) + 100, 100 FROM purchase_line WHERE id < 1000000000000;

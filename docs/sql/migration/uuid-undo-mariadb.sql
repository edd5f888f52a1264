-- MariaDB: drops the second keys, before the UUIDs are dropped and while the new version does not run. Rewrites the tables while reads and
-- writes continue.
ALTER TABLE purchase_line
    DROP FOREIGN KEY IF EXISTS purchase_line_purchase_no_fkey, MODIFY purchase_no BIGINT NULL,
    ALGORITHM=INPLACE, LOCK=NONE;
DROP TRIGGER purchase_line_keys;
ALTER TABLE purchase_line DROP COLUMN purchase_no, DROP COLUMN line_no, ALTER COLUMN id DROP DEFAULT;
ALTER TABLE purchase DROP COLUMN purchase_no, ALTER COLUMN id DROP DEFAULT;
DROP SEQUENCE purchase_numbers;
DROP SEQUENCE purchase_line_numbers;

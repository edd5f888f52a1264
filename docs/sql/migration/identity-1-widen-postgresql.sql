-- PostgreSQL: widens keys and references to BIGINT. Rewrites both tables and their indexes; blocks reads and writes.
BEGIN;
LOCK TABLE purchase, purchase_line IN ACCESS EXCLUSIVE MODE;
ALTER TABLE purchase ALTER COLUMN id TYPE BIGINT;
ALTER TABLE purchase_line ALTER COLUMN id TYPE BIGINT, ALTER COLUMN purchase_id TYPE BIGINT;
COMMIT;

-- PostgreSQL: drops the second keys, before the UUIDs are dropped and while the new version does not run. Locks both tables for a moment.
BEGIN;
LOCK TABLE purchase, purchase_line IN ACCESS EXCLUSIVE MODE;
DROP TRIGGER purchase_line_keys ON purchase_line;
ALTER TABLE purchase_line DROP COLUMN purchase_no, DROP COLUMN line_no, ALTER COLUMN id DROP DEFAULT;
ALTER TABLE purchase DROP COLUMN purchase_no, ALTER COLUMN id DROP DEFAULT;
COMMIT;
DROP FUNCTION purchase_line_keys();
DROP SEQUENCE purchase_numbers;
DROP SEQUENCE purchase_line_numbers;

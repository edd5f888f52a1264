-- PostgreSQL: drops the wide columns, before the switch. Locks both tables for a moment.
BEGIN;
LOCK TABLE purchase, purchase_line IN ACCESS EXCLUSIVE MODE;
DROP TRIGGER widen ON purchase;
DROP TRIGGER widen ON purchase_line;
ALTER TABLE purchase_line DROP COLUMN wide_purchase_id, DROP COLUMN wide_id;
ALTER TABLE purchase DROP COLUMN wide_id;
COMMIT;
DROP FUNCTION widen_purchase();
DROP FUNCTION widen_purchase_line();

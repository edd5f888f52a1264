-- PostgreSQL: drops the UUIDs. No rewrite. Afterwards, the only way back is a backup.
BEGIN;
LOCK TABLE purchase, purchase_line IN ACCESS EXCLUSIVE MODE;
DROP TRIGGER purchase_line_keys ON purchase_line;
ALTER TABLE purchase_line DROP COLUMN purchase_id, DROP COLUMN id;
ALTER TABLE purchase DROP COLUMN id;
ALTER TABLE purchase ALTER COLUMN purchase_no DROP DEFAULT;
ALTER TABLE purchase_line ALTER COLUMN line_no DROP DEFAULT, ALTER COLUMN purchase_no SET NOT NULL;
ALTER TABLE purchase ADD CONSTRAINT purchase_pkey PRIMARY KEY USING INDEX purchase_by_number;
ALTER TABLE purchase_line ADD CONSTRAINT purchase_line_pkey PRIMARY KEY USING INDEX purchase_line_by_number;
ALTER TABLE purchase DROP CONSTRAINT purchase_numbered;
ALTER TABLE purchase_line DROP CONSTRAINT purchase_line_numbered;
COMMIT;
DROP FUNCTION purchase_line_keys();
DROP SEQUENCE purchase_numbers;
DROP SEQUENCE purchase_line_numbers;

-- PostgreSQL: requires the second keys. NOT VALID locks for a moment; VALIDATE reads the table while reads and writes continue. If a
-- statement fails, a long transaction inserted rows meanwhile: repeat step 2.
ALTER TABLE purchase ADD CONSTRAINT purchase_numbered CHECK (purchase_no IS NOT NULL) NOT VALID;
ALTER TABLE purchase VALIDATE CONSTRAINT purchase_numbered;
ALTER TABLE purchase_line ADD CONSTRAINT purchase_line_numbered CHECK (line_no IS NOT NULL AND purchase_no IS NOT NULL) NOT VALID;
ALTER TABLE purchase_line VALIDATE CONSTRAINT purchase_line_numbered;
BEGIN;
LOCK TABLE purchase, purchase_line IN SHARE ROW EXCLUSIVE MODE;
ALTER TABLE purchase_line ADD CONSTRAINT purchase_line_purchase_no_fkey
    FOREIGN KEY (purchase_no) REFERENCES purchase (purchase_no) NOT VALID;
COMMIT;
ALTER TABLE purchase_line VALIDATE CONSTRAINT purchase_line_purchase_no_fkey;
DROP INDEX CONCURRENTLY purchase_without_number;
DROP INDEX CONCURRENTLY purchase_line_without_number;

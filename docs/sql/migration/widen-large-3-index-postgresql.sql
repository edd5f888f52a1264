-- PostgreSQL: creates the indexes and constraints that the switch needs, while reads and writes continue.
CREATE UNIQUE INDEX CONCURRENTLY purchase_wide ON purchase (wide_id);
CREATE UNIQUE INDEX CONCURRENTLY purchase_line_wide ON purchase_line (wide_id);
CREATE INDEX CONCURRENTLY purchase_line_wide_of_purchase ON purchase_line (wide_purchase_id);
ALTER TABLE purchase ADD CONSTRAINT purchase_wide CHECK (wide_id IS NOT NULL) NOT VALID;
ALTER TABLE purchase VALIDATE CONSTRAINT purchase_wide;
ALTER TABLE purchase_line ADD CONSTRAINT purchase_line_wide
    CHECK (wide_id IS NOT NULL AND wide_purchase_id IS NOT NULL) NOT VALID;
ALTER TABLE purchase_line VALIDATE CONSTRAINT purchase_line_wide;
BEGIN;
LOCK TABLE purchase, purchase_line IN SHARE ROW EXCLUSIVE MODE;
ALTER TABLE purchase_line ADD CONSTRAINT purchase_line_wide_of_purchase
    FOREIGN KEY (wide_purchase_id) REFERENCES purchase (wide_id) NOT VALID;
COMMIT;
ALTER TABLE purchase_line VALIDATE CONSTRAINT purchase_line_wide_of_purchase;

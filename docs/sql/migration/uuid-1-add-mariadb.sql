-- MariaDB: adds the second keys. No rewrite: defaults apply to new rows only. The trigger fills the reference that an insert omits; extend
-- it to updates if your application moves lines from one purchase to another.
CREATE SEQUENCE purchase_numbers;
CREATE SEQUENCE purchase_line_numbers;
ALTER TABLE purchase ADD COLUMN purchase_no BIGINT NULL, ALGORITHM=INSTANT;
ALTER TABLE purchase
    ALTER COLUMN purchase_no SET DEFAULT NEXTVAL(purchase_numbers), ALTER COLUMN id SET DEFAULT UUID(),
    ALGORITHM=INSTANT;
ALTER TABLE purchase_line ADD COLUMN line_no BIGINT NULL, ADD COLUMN purchase_no BIGINT NULL, ALGORITHM=INSTANT;
ALTER TABLE purchase_line
    ALTER COLUMN line_no SET DEFAULT NEXTVAL(purchase_line_numbers), ALTER COLUMN id SET DEFAULT UUID(),
    ALGORITHM=INSTANT;
ALTER TABLE purchase ADD UNIQUE KEY purchase_by_number (purchase_no), ALGORITHM=INPLACE, LOCK=NONE;
ALTER TABLE purchase_line
    ADD UNIQUE KEY purchase_line_by_number (line_no), ADD KEY purchase_line_of_purchase_no (purchase_no),
    ALGORITHM=INPLACE, LOCK=NONE;
CREATE TRIGGER purchase_line_keys BEFORE INSERT ON purchase_line
    FOR EACH ROW SET
        NEW.purchase_no = COALESCE(NEW.purchase_no, (SELECT purchase_no FROM purchase WHERE id = NEW.purchase_id)),
        NEW.purchase_id = COALESCE(NEW.purchase_id, (SELECT id FROM purchase WHERE purchase_no = NEW.purchase_no));

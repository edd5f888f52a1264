-- PostgreSQL 13 or later: adds the second keys. No rewrite: defaults apply to new rows only. The trigger fills the reference that an
-- insert omits; extend it to updates if your application moves lines from one purchase to another.
CREATE SEQUENCE purchase_numbers;
CREATE SEQUENCE purchase_line_numbers;
ALTER TABLE purchase ADD COLUMN purchase_no BIGINT;
ALTER TABLE purchase ALTER COLUMN purchase_no SET DEFAULT nextval('purchase_numbers'), ALTER COLUMN id SET DEFAULT gen_random_uuid();
ALTER TABLE purchase_line ADD COLUMN line_no BIGINT, ADD COLUMN purchase_no BIGINT;
ALTER TABLE purchase_line ALTER COLUMN line_no SET DEFAULT nextval('purchase_line_numbers'), ALTER COLUMN id SET DEFAULT gen_random_uuid();
CREATE INDEX CONCURRENTLY purchase_without_number ON purchase (id) WHERE purchase_no IS NULL;
CREATE INDEX CONCURRENTLY purchase_line_without_number ON purchase_line (id) WHERE line_no IS NULL OR purchase_no IS NULL;
CREATE UNIQUE INDEX CONCURRENTLY purchase_by_number ON purchase (purchase_no);
CREATE UNIQUE INDEX CONCURRENTLY purchase_line_by_number ON purchase_line (line_no);
CREATE INDEX CONCURRENTLY purchase_line_of_purchase_no ON purchase_line (purchase_no);
CREATE FUNCTION purchase_line_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.purchase_no IS NULL THEN
        NEW.purchase_no := (SELECT purchase_no FROM purchase WHERE id = NEW.purchase_id);
    ELSIF NEW.purchase_id IS NULL THEN
        NEW.purchase_id := (SELECT id FROM purchase WHERE purchase_no = NEW.purchase_no);
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER purchase_line_keys BEFORE INSERT ON purchase_line FOR EACH ROW EXECUTE FUNCTION purchase_line_keys();

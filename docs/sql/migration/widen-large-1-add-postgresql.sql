-- PostgreSQL: adds wide columns that a trigger keeps equal to the narrow ones. No rewrite.
ALTER TABLE purchase ADD COLUMN wide_id BIGINT;
ALTER TABLE purchase_line ADD COLUMN wide_id BIGINT, ADD COLUMN wide_purchase_id BIGINT;
CREATE FUNCTION widen_purchase() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.wide_id := NEW.id;
    RETURN NEW;
END $$;
CREATE FUNCTION widen_purchase_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.wide_id := NEW.id;
    NEW.wide_purchase_id := NEW.purchase_id;
    RETURN NEW;
END $$;
CREATE TRIGGER widen BEFORE INSERT OR UPDATE ON purchase FOR EACH ROW EXECUTE FUNCTION widen_purchase();
CREATE TRIGGER widen BEFORE INSERT OR UPDATE ON purchase_line FOR EACH ROW EXECUTE FUNCTION widen_purchase_line();
CREATE INDEX CONCURRENTLY purchase_narrow ON purchase (id) WHERE wide_id IS NULL;
CREATE INDEX CONCURRENTLY purchase_line_narrow ON purchase_line (id) WHERE wide_id IS NULL;

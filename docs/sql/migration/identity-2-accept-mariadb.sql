-- MariaDB: gives the old version a counter after its own last number, not after max(id). No rewrite. The million leaves room for rows that
-- are inserted before the trigger exists.
SELECT COALESCE(MAX(id), 0) + 1000000 INTO @first FROM purchase WHERE id < 1000000000000;
EXECUTE IMMEDIATE CONCAT('CREATE SEQUENCE purchase_ids START WITH ', @first);
CREATE TRIGGER purchase_ids BEFORE INSERT ON purchase
    FOR EACH ROW SET NEW.id = IF(COALESCE(NEW.id, 0) = 0, NEXTVAL(purchase_ids), NEW.id);
SELECT COALESCE(MAX(id), 0) + 1000000 INTO @first FROM purchase_line WHERE id < 1000000000000;
EXECUTE IMMEDIATE CONCAT('CREATE SEQUENCE purchase_line_ids START WITH ', @first);
CREATE TRIGGER purchase_line_ids BEFORE INSERT ON purchase_line
    FOR EACH ROW SET NEW.id = IF(COALESCE(NEW.id, 0) = 0, NEXTVAL(purchase_line_ids), NEW.id);

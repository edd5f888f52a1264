-- PostgreSQL: fills the wide columns of existing rows by the triggers. Repeat each statement until it changes no row.
UPDATE purchase SET wide_id = id WHERE id IN (SELECT id FROM purchase WHERE wide_id IS NULL ORDER BY id LIMIT 1000);
UPDATE purchase_line SET wide_id = id WHERE id IN (SELECT id FROM purchase_line WHERE wide_id IS NULL ORDER BY id LIMIT 1000);

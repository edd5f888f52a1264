-- PostgreSQL: numbers existing rows, purchases first. Repeat each statement until it changes no row, with pauses if replicas must catch up.
UPDATE purchase SET purchase_no = nextval('purchase_numbers')
WHERE id IN (SELECT id FROM purchase WHERE purchase_no IS NULL ORDER BY id LIMIT 1000);
UPDATE purchase_line l SET line_no = COALESCE(l.line_no, nextval('purchase_line_numbers')), purchase_no = p.purchase_no
FROM purchase p
WHERE p.id = l.purchase_id
  AND l.id IN (SELECT id FROM purchase_line WHERE line_no IS NULL OR purchase_no IS NULL ORDER BY id LIMIT 1000);

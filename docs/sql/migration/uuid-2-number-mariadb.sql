-- MariaDB: numbers existing rows, purchases first. Repeat each statement until it changes no row, with pauses if replicas must catch up.
-- READ COMMITTED limits the locks to the rows of a batch.
SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED;
UPDATE purchase SET purchase_no = NEXTVAL(purchase_numbers) WHERE purchase_no IS NULL LIMIT 1000;
UPDATE purchase_line
SET line_no = COALESCE(line_no, NEXTVAL(purchase_line_numbers)),
    purchase_no = (SELECT purchase_no FROM purchase WHERE purchase.id = purchase_line.purchase_id)
WHERE purchase_no IS NULL LIMIT 1000;

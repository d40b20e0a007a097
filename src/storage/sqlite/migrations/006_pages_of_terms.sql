-- New databases have pages of 2048 bytes (decision 188), and the pages of the term index fit into them: one that did not would
-- be read from three. 46 bytes are what FTS5 leaves of 4096 by default. A database that was made before keeps both.
INSERT INTO term (term, rank) SELECT 'pgsz', page_size - 46 FROM pragma_page_size;

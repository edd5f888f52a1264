package io.github.snowflakeid.inserts;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.snowflakeid.LeaseTerms;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.hibernate.SnowflakeSettings;
import io.github.snowflakeid.jdbc.InitializeSchema;
import io.github.snowflakeid.jdbc.JdbcWorkerRegistry;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.slf4j.LoggerFactory;

/**
 * How many rows a second an application inserts by JPA into PostgreSQL, with ids of several kinds: one thread, batches
 * of 100, a transaction for 1,000 rows. Each kind has a table of its own, which grows from round to round. In a round
 * each kind has its turn, in another order than in the round before.
 *
 * <p>Properties: {@code rows} of each kind in all, {@code rounds}, {@code fsync} of the server.
 */
public final class InsertRate {

    private static final int ROWS = Integer.getInteger("rows", 1_000_000);
    private static final int ROUNDS = Integer.getInteger("rounds", 10);
    private static final String FSYNC = System.getProperty("fsync", "off");

    private static final int ROWS_OF_A_TURN = ROWS / ROUNDS;
    private static final int BATCH = 100;
    private static final int TRANSACTION = 1000;

    private final SessionFactory sessions;

    private InsertRate(SessionFactory sessions) {
        this.sessions = sessions;
    }

    /** Rows with ids of one kind, and what inserting them took. */
    private final class Kind {
        private final String name;
        private final String table;
        private final Supplier<Rows> row;
        private final List<Double> rates = new ArrayList<>();
        private long wal;

        Kind(String name, String table, Supplier<Rows> row) {
            this.name = name;
            this.table = table;
            this.row = row;
        }

        void insert(int rows) {
            for (int done = 0; done < rows; done += TRANSACTION) {
                int some = Math.min(TRANSACTION, rows - done);
                sessions.inTransaction(session -> {
                    for (int i = 1; i <= some; i++) {
                        session.persist(row.get());
                        if (i % BATCH == 0) {
                            session.flush();
                            session.clear();
                        }
                    }
                });
            }
        }

        void takeTurn() {
            long walBefore = walPosition();
            long before = System.nanoTime();
            insert(ROWS_OF_A_TURN);
            rates.add(ROWS_OF_A_TURN * 1e6 / (System.nanoTime() - before));
            wal += walPosition() - walBefore;
        }

        /** Removes what was inserted to warm up. */
        void empty() {
            sessions.inTransaction(session ->
                    session.createNativeMutationQuery("TRUNCATE " + table).executeUpdate());
        }

        String result(Kind ours) {
            double[] rate = quartiles(rates.stream().mapToDouble(Double::doubleValue));
            double[] ratio = quartiles(
                    IntStream.range(0, ROUNDS).mapToDouble(round -> rates.get(round) / ours.rates.get(round)));
            return String.format(
                    Locale.ROOT,
                    "| %s | %.1f | %.1f to %.1f | %.2f (%.2f to %.2f) | %.1f | %.1f | %.0f |",
                    name,
                    rate[1],
                    rate[0],
                    rate[2],
                    ratio[1],
                    ratio[0],
                    ratio[2],
                    rates.get(ROUNDS - 1),
                    (double) number("SELECT pg_relation_size('%s_pkey')".formatted(table))
                            / number("SELECT count(*) FROM " + table),
                    (double) wal / (ROWS_OF_A_TURN * ROUNDS));
        }
    }

    private void run() {
        Kind ours = new Kind("snowflake, leased worker id", "snowflake", Rows.Snowflake::new);
        List<Kind> kinds = List.of(
                ours,
                new Kind("`SEQUENCE`, allocation 50", "sequence", Rows.Sequence::new),
                new Kind("`IDENTITY`", "identity", Rows.Identity::new),
                new Kind("random UUID", "uuid_v4", Rows.RandomUuid::new),
                new Kind("UUIDv7", "uuid_v7", Rows.TimeUuid::new));
        for (Kind kind : kinds) {
            kind.insert(Math.min(ROWS, 50_000));
            kind.empty();
        }
        List<Kind> turns = new ArrayList<>(kinds);
        for (int round = 0; round < ROUNDS; round++) {
            Collections.rotate(turns, 1);
            // So that none always comes after the same other one.
            Collections.reverse(turns);
            turns.forEach(Kind::takeTurn);
        }
        System.out.printf(
                "%s %s, PostgreSQL %s, fsync %s, %d processors, %,d rows in %d rounds%n%n",
                System.getProperty("java.vm.vendor"),
                System.getProperty("java.version"),
                text("SHOW server_version"),
                FSYNC,
                Runtime.getRuntime().availableProcessors(),
                ROWS,
                ROUNDS);
        System.out.println(
                "| ids | thousand rows/s | quartiles | of the first row | last round | bytes of index | bytes of WAL |");
        System.out.println("| --- | --- | --- | --- | --- | --- | --- |");
        kinds.forEach(kind -> System.out.println(kind.result(ours)));
    }

    private long walPosition() {
        return number("SELECT CAST(pg_current_wal_insert_lsn() - '0/0' AS BIGINT)");
    }

    private long number(String sql) {
        return sessions.fromSession(
                session -> session.createNativeQuery(sql, Long.class).getSingleResult());
    }

    private String text(String sql) {
        return sessions.fromSession(
                session -> session.createNativeQuery(sql, String.class).getSingleResult());
    }

    /** The first quarter, the median and the third quarter. */
    private static double[] quartiles(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        int last = sorted.length - 1;
        return new double[] {sorted[last / 4], sorted[last / 2], sorted[last * 3 / 4]};
    }

    /** Measures, and prints a table. */
    public static void main(String[] arguments) throws Exception {
        ((LoggerContext) LoggerFactory.getILoggerFactory()).getLogger("ROOT").setLevel(Level.WARN);
        try (EmbeddedPostgres server = EmbeddedPostgres.builder()
                        .setServerConfig("fsync", FSYNC)
                        .setServerConfig("synchronous_commit", FSYNC)
                        .start();
                HikariDataSource pool = pool(server.getJdbcUrl("postgres", "postgres"))) {
            JdbcWorkerRegistry registry = new JdbcWorkerRegistry(pool, "snowflake_worker", "default")
                    .initializeSchema(InitializeSchema.ALWAYS);
            registry.read();
            try (SnowflakeIdGenerator ids = SnowflakeIdGenerator.builder()
                            .lease(LeaseTerms.of(registry))
                            .build();
                    SessionFactory sessions = sessions(pool, ids)) {
                new InsertRate(sessions).run();
            }
        }
    }

    private static HikariDataSource pool(String url) {
        HikariConfig pool = new HikariConfig();
        pool.setJdbcUrl(url);
        // One statement of many rows for a batch, without which the round trips hide much of the rest.
        pool.addDataSourceProperty("reWriteBatchedInserts", "true");
        return new HikariDataSource(pool);
    }

    private static SessionFactory sessions(HikariDataSource pool, SnowflakeIdGenerator ids) {
        Configuration configuration = new Configuration()
                .addAnnotatedClass(Rows.Snowflake.class)
                .addAnnotatedClass(Rows.Sequence.class)
                .addAnnotatedClass(Rows.Identity.class)
                .addAnnotatedClass(Rows.RandomUuid.class)
                .addAnnotatedClass(Rows.TimeUuid.class);
        configuration.getProperties().put("hibernate.connection.datasource", pool);
        configuration.getProperties().put("hibernate.hbm2ddl.auto", "create");
        configuration.getProperties().put("hibernate.jdbc.batch_size", BATCH);
        configuration.getProperties().put(SnowflakeSettings.ID_GENERATOR, ids);
        return configuration.buildSessionFactory();
    }
}

package io.github.snowflakeid.numbers;

import com.zaxxer.hikari.HikariDataSource;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A process whose threads number documents until it is killed. For each document it writes the time of the database
 * before and after the number was taken. Transactions of gapless series are rolled back as a whole or in part, catch
 * deadlocks, and lose their connections. Arguments: URL of the database, SQL of its clock, SQL that ends the connection,
 * number of threads, time zones.
 */
final class NumberProcess {

    static final String[] KINDS = {"gapless", "gaps", "prefetch"};

    /** The index of the first time zone among the arguments. */
    static final int FIRST_ZONE = 4;

    /** Few rows, so that transactions deadlock. */
    static final int STOCK = 4;

    private NumberProcess() {}

    public static void main(String[] arguments) throws Exception {
        int threads = Integer.parseInt(arguments[3]);
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(arguments[0]);
        pool.setMaximumPoolSize(threads);
        Map<String, Object> properties = new java.util.HashMap<>();
        for (int zone = FIRST_ZONE; zone < arguments.length; zone++) {
            for (String kind : KINDS) {
                String series = "snowflake.numbers." + kind + zone + ".";
                properties.put(series + "format", "{yyyyMMdd}-{00000}");
                properties.put(series + "zone", arguments[zone]);
                properties.put(series + "gapless", kind.equals("gapless"));
                properties.put(series + "prefetch", kind.equals("prefetch") ? 5 : 1);
                properties.put(series + "initialize-schema", "always");
            }
        }
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("series", properties));
        context.registerBean("dataSource", DataSource.class, () -> pool);
        context.register(SnowflakeNumbersAutoConfiguration.class);
        context.refresh();
        Map<String, DocumentNumbers> all = context.getBeansOfType(DocumentNumbers.class);
        System.out.println("ready");
        JdbcTemplate jdbc = new JdbcTemplate(pool);
        TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(pool));
        TransactionTemplate nested = new TransactionTemplate(transaction.getTransactionManager());
        nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
        String now = "SELECT " + arguments[1];
        AtomicInteger failures = new AtomicInteger();
        for (int thread = 0; thread < threads; thread++) {
            new Thread(() -> {
                        Random random = new Random();
                        while (true) {
                            all.forEach((name, numbers) -> {
                                Function<Supplier<DocumentNumber>, Integer> document = take -> {
                                    Long before = jdbc.queryForObject(now, Long.class);
                                    DocumentNumber number = take.get();
                                    Long after = jdbc.queryForObject(now, Long.class);
                                    return jdbc.update(
                                            "INSERT INTO document VALUES (?, ?, ?, ?, ?)",
                                            name,
                                            number.period(),
                                            number.number(),
                                            before,
                                            after);
                                };
                                Supplier<DocumentNumber> take = () -> numbers.take("", null);
                                try {
                                    if (name.contains("gapless")) {
                                        transaction.executeWithoutResult(status -> {
                                            if (random.nextInt(5) == 0) {
                                                nested.executeWithoutResult(inner -> {
                                                    document.apply(take);
                                                    inner.setRollbackOnly();
                                                });
                                            }
                                            document.apply(
                                                    random.nextInt(5) == 0
                                                            ? () -> nested.execute(inner -> take.get())
                                                            : () -> {
                                                                DocumentNumber number = take.get();
                                                                change(jdbc, random);
                                                                return number;
                                                            });
                                            if (random.nextInt(50) == 0) {
                                                attempt(() -> jdbc.execute(arguments[2]));
                                                document.apply(take);
                                            }
                                            if (random.nextInt(5) == 0) {
                                                status.setRollbackOnly();
                                            }
                                        });
                                    } else {
                                        document.apply(take);
                                    }
                                } catch (ConcurrencyFailureException e) {
                                    System.out.println("conflict " + failures.incrementAndGet() + " " + e);
                                } catch (RuntimeException e) {
                                    System.out.println("failed " + e);
                                }
                            });
                        }
                    })
                    .start();
        }
    }

    /** Changes rows that other transactions change in another order. */
    private static void change(JdbcTemplate jdbc, Random random) {
        for (int i = 0; i < 2; i++) {
            int item = random.nextInt(STOCK);
            attempt(() -> jdbc.update("UPDATE stock SET amount = amount - 1 WHERE item = ?", item));
        }
    }

    private static void attempt(Runnable statement) {
        try {
            statement.run();
        } catch (DataAccessException e) {
            System.out.println("caught " + e.getClass().getSimpleName());
        }
    }
}

package io.github.snowflakeid.numbers;

import com.zaxxer.hikari.HikariDataSource;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A process whose threads number documents until it is killed. For each document it writes the time of the database
 * before and after the number was taken. Arguments: URL of the database, SQL of its clock, number of threads, time
 * zones.
 */
final class NumberProcess {

    static final String[] KINDS = {"gapless", "gaps", "prefetch"};

    private NumberProcess() {}

    public static void main(String[] arguments) throws Exception {
        int threads = Integer.parseInt(arguments[2]);
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(arguments[0]);
        pool.setMaximumPoolSize(threads);
        Map<String, Object> properties = new java.util.HashMap<>();
        for (int zone = 3; zone < arguments.length; zone++) {
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
        String now = "SELECT " + arguments[1];
        AtomicInteger failures = new AtomicInteger();
        for (int thread = 0; thread < threads; thread++) {
            new Thread(() -> {
                        Random random = new Random();
                        while (true) {
                            all.forEach((name, numbers) -> {
                                Runnable document = () -> {
                                    Long before = jdbc.queryForObject(now, Long.class);
                                    DocumentNumber number = numbers.take("", null);
                                    Long after = jdbc.queryForObject(now, Long.class);
                                    jdbc.update(
                                            "INSERT INTO document VALUES (?, ?, ?, ?, ?)",
                                            name,
                                            number.period(),
                                            number.number(),
                                            before,
                                            after);
                                };
                                try {
                                    if (name.contains("gapless")) {
                                        transaction.executeWithoutResult(status -> {
                                            document.run();
                                            if (random.nextInt(5) == 0) {
                                                status.setRollbackOnly();
                                            }
                                        });
                                    } else {
                                        document.run();
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
}

package io.github.snowflakeid.numbers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariDataSource;
import io.github.snowflakeid.jdbc.Databases;
import io.github.snowflakeid.servers.Waiting;
import java.sql.Connection;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionTemplate;

/** Gapless series whose transactions end beneath Spring. */
@Tag("servers")
@ExtendWith(OutputCaptureExtension.class)
class TakenNumbersTests {

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HikariDataSource pool;
    private JdbcTemplate jdbc;
    private TransactionTemplate transaction;
    private TransactionTemplate nested;
    private TransactionTemplate separate;

    @AfterEach
    void end() {
        threads.shutdownNow();
        if (pool != null) {
            pool.close();
        }
    }

    private void run(Databases database, Consumer<DocumentNumbers> test) {
        pool = database.open();
        jdbc = new JdbcTemplate(pool);
        for (String table : new String[] {"snowflake_number", "invoice", "stock", "other"}) {
            jdbc.execute("DROP TABLE IF EXISTS " + table);
        }
        jdbc.execute("CREATE TABLE invoice (number VARCHAR(50))");
        jdbc.execute("CREATE TABLE stock (item INT PRIMARY KEY, amount INT)");
        for (int item = 1; item <= 50; item++) {
            jdbc.update("INSERT INTO stock VALUES (?, 100)", item);
        }
        JdbcTransactionManager manager = new JdbcTransactionManager(pool);
        transaction = new TransactionTemplate(manager);
        nested = new TransactionTemplate(manager);
        nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
        separate = new TransactionTemplate(manager);
        separate.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(SnowflakeNumbersAutoConfiguration.class))
                .withBean(DataSource.class, () -> pool)
                .withPropertyValues(
                        "snowflake.numbers.invoice.format=F{000}",
                        "snowflake.numbers.invoice.gapless=true",
                        "snowflake.numbers.invoice.initialize-schema=always")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    test.accept(context.getBean(DocumentNumbers.class));
                });
    }

    private String save(String number) {
        jdbc.update("INSERT INTO invoice VALUES (?)", number);
        return number;
    }

    private String next(DocumentNumbers numbers) {
        return transaction.execute(status -> save(numbers.next()));
    }

    private String nextOfAnother(DocumentNumbers numbers) {
        return join(threads.submit(() -> next(numbers)));
    }

    private static <T> T join(Future<T> future) {
        try {
            return future.get(60, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void saved(String... numbers) {
        assertThat(jdbc.queryForList("SELECT number FROM invoice ORDER BY number", String.class))
                .containsExactly(numbers);
    }

    /** Executes statements that deadlock with another transaction, which has changed more and is not the victim. */
    private void catchDeadlock() {
        jdbc.update("UPDATE stock SET amount = amount - 1 WHERE item = 1");
        CountDownLatch held = new CountDownLatch(1);
        Callable<Boolean> other = () -> {
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                statement.executeUpdate("UPDATE stock SET amount = amount - 1 WHERE item >= 2");
                held.countDown();
                statement.executeUpdate("UPDATE stock SET amount = amount - 1 WHERE item = 1");
                connection.commit();
                return true;
            }
        };
        Future<Boolean> done = threads.submit(other);
        try {
            held.await();
            // The other transaction waits by now.
            Thread.sleep(1_000);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        assertThat(catchThrowable(() -> jdbc.update("UPDATE stock SET amount = amount - 1 WHERE item = 2")))
                .isInstanceOf(PessimisticLockingFailureException.class);
        join(done);
    }

    /** A reconnecting driver, a timeout of a lock and a cluster end a transaction in the same way. */
    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "H2"})
    void numberOfARolledBackTransactionIsNotCommitted(Databases database) {
        run(database, numbers -> {
            assertThat(next(numbers)).isEqualTo("F001");
            assertThatExceptionOfType(ConcurrencyFailureException.class)
                    .isThrownBy(() -> transaction.executeWithoutResult(status -> {
                        String number = numbers.next();
                        jdbc.execute("ROLLBACK");
                        assertThat(nextOfAnother(numbers)).isEqualTo(number);
                        save(number);
                    }))
                    .withMessage(
                            "Retry the transaction: the database ended it after number 'F002' of series 'invoice' was taken, which others may get now. This happens if a deadlock is caught");
            assertThat(next(numbers)).isEqualTo("F003");
            saved("F001", "F002", "F003");
        });
    }

    @ParameterizedTest
    @EnumSource(names = "MARIADB")
    void numberOfACaughtDeadlockIsNotCommitted(Databases database) {
        run(database, numbers -> {
            assertThatExceptionOfType(ConcurrencyFailureException.class)
                    .isThrownBy(() -> transaction.executeWithoutResult(status -> {
                        String number = nested.execute(inner -> numbers.next());
                        catchDeadlock();
                        save(number);
                    }));
            // Spring notices that its savepoint does not exist, but does not mark the transaction as rollback-only.
            assertThatExceptionOfType(ConcurrencyFailureException.class)
                    .isThrownBy(() -> transaction.executeWithoutResult(status -> {
                        String[] number = new String[1];
                        assertThatExceptionOfType(TransactionSystemException.class)
                                .isThrownBy(() -> nested.executeWithoutResult(inner -> {
                                    number[0] = numbers.next();
                                    catchDeadlock();
                                }));
                        save(number[0]);
                    }));
            assertThat(next(numbers)).isEqualTo("F001");
            saved("F001");
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "H2"})
    void anotherNumberAfterARollbackIsAConflict(Databases database) {
        run(database, numbers -> {
            assertThatExceptionOfType(UnexpectedRollbackException.class)
                    .isThrownBy(() -> transaction.executeWithoutResult(status -> {
                        String first = numbers.next();
                        jdbc.execute("ROLLBACK");
                        assertThatExceptionOfType(ConcurrencyFailureException.class)
                                .isThrownBy(numbers::next)
                                .withMessageStartingWith(
                                        "Retry the transaction: it got no number of series 'invoice', tenant '', period '', because it does not see the row");
                        assertThat(status.isRollbackOnly()).isTrue();
                        save(first);
                    }));
            saved();
        });
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "HSQLDB")
    void numbersOfNestedTransactionsAreCommittedOrRolledBack(Databases database) {
        run(database, numbers -> {
            transaction.executeWithoutResult(status -> {
                nested.executeWithoutResult(inner -> save(numbers.next()));
                save(numbers.next());
                nested.executeWithoutResult(inner -> {
                    save(numbers.next());
                    inner.setRollbackOnly();
                });
                nested.executeWithoutResult(inner -> save(numbers.next()));
            });
            transaction.executeWithoutResult(status -> nested.executeWithoutResult(inner -> {
                save(numbers.next());
                inner.setRollbackOnly();
            }));
            Object[] savepoint = new Object[1];
            transaction.executeWithoutResult(status -> {
                savepoint[0] = status.createSavepoint();
                save(numbers.next());
                status.rollbackToSavepoint(savepoint[0]);
                save(numbers.next());
            });
            saved("F001", "F002", "F003", "F004");
        });
    }

    /** More numbers than their marks fit into the row. */
    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "H2"})
    void transactionTakesAnyNumberOfNumbers(Databases database) {
        run(database, numbers -> {
            transaction.executeWithoutResult(status -> {
                for (int i = 0; i < 50; i++) {
                    save(numbers.next());
                    numbers.next("acme");
                }
            });
            assertThat(next(numbers)).isEqualTo("F051");
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "H2"})
    void documentOfANumberThatAStatementCommittedIsSaved(Databases database, CapturedOutput output) {
        run(database, numbers -> {
            transaction.executeWithoutResult(status -> {
                String number = numbers.next();
                jdbc.execute("CREATE TABLE other (number INT)");
                for (int i = 2; i < 5; i++) {
                    assertThat(nextOfAnother(numbers)).isEqualTo("F00" + i);
                }
                save(number);
                save(numbers.next());
            });
            saved("F001", "F002", "F003", "F004", "F005");
            assertThat(output).doesNotContain("is missing");
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "H2"})
    void numberThatAStatementCommittedWithoutItsDocumentIsLogged(Databases database, CapturedOutput output) {
        run(database, numbers -> {
            transaction.executeWithoutResult(status -> {
                numbers.next();
                jdbc.execute("CREATE TABLE other (number INT)");
                numbers.next();
                status.setRollbackOnly();
            });
            assertThat(next(numbers)).isEqualTo("F002");
        });
        assertThat(Arrays.stream(output.getAll().split("\n")).filter(line -> line.contains("is missing")))
                .singleElement()
                .asString()
                .contains(
                        "ERROR",
                        "Number 'F001' of series 'invoice' is missing: its transaction was rolled back after a statement that commits, such as CREATE TABLE. Execute such statements in other transactions");
    }

    /** The marks of later numbers displace the mark of the number that the statement committed. */
    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "H2"})
    void numberThatAStatementCommittedIsLoggedAfterManyLaterNumbers(Databases database, CapturedOutput output) {
        run(database, numbers -> {
            for (boolean isRolledBack : new boolean[] {true, false}) {
                Throwable thrown = catchThrowable(() -> transaction.executeWithoutResult(status -> {
                    numbers.next();
                    jdbc.execute("DROP TABLE IF EXISTS other");
                    for (int i = 0; i < 9; i++) {
                        nextOfAnother(numbers);
                    }
                    if (isRolledBack) {
                        status.setRollbackOnly();
                    }
                }));
                assertThat(thrown instanceof ConcurrencyFailureException).isNotEqualTo(isRolledBack);
            }
            // Another transaction got the number that the database took back.
            assertThatExceptionOfType(ConcurrencyFailureException.class)
                    .isThrownBy(() -> transaction.executeWithoutResult(status -> {
                        numbers.next();
                        jdbc.execute("ROLLBACK");
                        nextOfAnother(numbers);
                    }));
        });
        assertThat(Arrays.stream(output.getAll().split("\n")).filter(line -> line.contains("missing")))
                .hasSize(2)
                .anySatisfy(
                        line -> assertThat(line)
                                .contains(
                                        "ERROR",
                                        "Number 'F001' of series 'invoice' may be missing: its transaction was rolled back after a statement that commits, such as CREATE TABLE. Execute such statements in other transactions"))
                .anySatisfy(line -> assertThat(line).contains("Number 'F011' of series 'invoice' may be missing: "));
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "HSQLDB")
    void newTransactionDoesNotWaitForTheSuspendedOneOfItsThread(Databases database) {
        run(database, numbers -> {
            transaction.executeWithoutResult(status -> {
                save(numbers.next());
                assertThatExceptionOfType(IllegalTransactionStateException.class)
                        .isThrownBy(() -> separate.executeWithoutResult(inner -> numbers.next()))
                        .withMessageContaining("would wait for the suspended transaction of the same thread");
                assertThat(separate.<String>execute(inner -> numbers.next("acme")))
                        .isEqualTo("F001");
                save(numbers.next());
            });
            saved("F001", "F002");
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void newTransactionTakesTheNumberThatTheSuspendedOneDidNotGet(Databases database) {
        run(database, numbers -> {
            CountDownLatch held = new CountDownLatch(1);
            CountDownLatch ends = new CountDownLatch(1);
            Future<String> other = threads.submit(() -> transaction.execute(status -> {
                String number = save(numbers.next());
                held.countDown();
                join(threads.submit(() -> ends.await(60, TimeUnit.SECONDS)));
                return number;
            }));
            assertThatExceptionOfType(UnexpectedRollbackException.class)
                    .isThrownBy(() -> transaction.executeWithoutResult(status -> {
                        join(threads.submit(() -> held.await(60, TimeUnit.SECONDS)));
                        jdbc.execute(
                                database == Databases.POSTGRESQL
                                        ? "SET LOCAL lock_timeout = '100ms'"
                                        : "SET SESSION innodb_lock_wait_timeout = 1");
                        assertThatExceptionOfType(ConcurrencyFailureException.class)
                                .isThrownBy(numbers::next);
                        ends.countDown();
                        join(other);
                        separate.executeWithoutResult(inner -> save(numbers.next()));
                    }));
            saved("F001", "F002");
        });
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "HSQLDB")
    void waitingLongerThanTheTransactionMayTakeIsAConflict(Databases database) {
        run(
                database,
                numbers -> transaction.executeWithoutResult(status -> {
                    numbers.next();
                    TransactionTemplate limited = new TransactionTemplate(transaction.getTransactionManager());
                    limited.setTimeout(1);
                    // Again if a thread was so late that the time was over before the statement.
                    Waiting.await()
                            .untilAsserted(
                                    () -> assertThat(join(threads.submit(() ->
                                                    catchThrowable(() -> limited.execute(inner -> numbers.next())))))
                                            .isInstanceOf(ConcurrencyFailureException.class)
                                            .hasMessageStartingWith(
                                                    "Retry the transaction: it got no number of series 'invoice', tenant '', period '', because another one has the row"));
                }));
    }

    /** As tests do between each other. */
    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "HSQLDB")
    void seriesBeginAgainInAnEmptiedTable(Databases database) {
        run(database, numbers -> {
            next(numbers);
            transaction.executeWithoutResult(status -> numbers.take("acme", LocalDate.EPOCH.withYear(2020)));
            jdbc.update("DELETE FROM snowflake_number");
            assertThat(next(numbers)).isEqualTo("F001");
            jdbc.update("DELETE FROM snowflake_number");
            transaction.executeWithoutResult(status -> {
                assertThat(numbers.next()).isEqualTo("F001");
                assertThat(numbers.next("acme")).isEqualTo("F001");
                assertThat(numbers.next("new")).isEqualTo("F001");
            });
            assertThat(next(numbers)).isEqualTo("F002");
        });
    }

    /**
     * The callers see at the same time that there is no row. If one waited for the transaction of another to create it,
     * so would all that use the connection of the leases, perhaps that transaction as well.
     */
    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "HSQLDB")
    void creationOfARowDoesNotWaitForATransactionThatUsesIt(Databases database) {
        run(database, numbers -> {
            CyclicBarrier all = new CyclicBarrier(8);
            List<Future<String>> texts = IntStream.range(0, 8)
                    .mapToObj(caller -> threads.submit(() -> transaction.execute(status -> {
                        await(all);
                        return numbers.next("acme") + numbers.next("tenant" + caller);
                    })))
                    .toList();
            assertThat(texts.stream().map(TakenNumbersTests::join).sorted())
                    .containsExactlyElementsOf(IntStream.rangeClosed(1, 8)
                            .mapToObj("F%03dF001"::formatted)
                            .toList());
        });
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await(60, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}

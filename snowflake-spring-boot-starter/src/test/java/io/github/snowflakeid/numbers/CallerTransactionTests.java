package io.github.snowflakeid.numbers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Which transactions a gapless series accepts. */
class CallerTransactionTests {

    private final DataSource documents = new DriverManagerDataSource("jdbc:h2:mem:documents;DB_CLOSE_DELAY=-1");
    private final AtomicReference<Throwable> rejected = new AtomicReference<>();
    private final DataSource others = new DriverManagerDataSource("jdbc:h2:mem:others;DB_CLOSE_DELAY=-1");

    private static DataSource in(PlatformTransactionManager manager, DataSource expected) {
        return new TransactionTemplate(manager).execute(status -> CallerTransaction.dataSource("invoice", expected));
    }

    private static void rejects(PlatformTransactionManager manager, DataSource expected, String reason) {
        assertThatExceptionOfType(IllegalTransactionStateException.class)
                .isThrownBy(() -> in(manager, expected))
                .withMessageStartingWith("No number was taken: gapless series 'invoice' needs the transaction")
                .withMessageContaining(reason);
    }

    @Test
    void acceptsTransactionOfTheDataSource() {
        assertThat(in(new JdbcTransactionManager(documents), documents)).isSameAs(documents);
    }

    @Test
    void rejectsCallerWithoutTransaction() {
        assertThatExceptionOfType(IllegalTransactionStateException.class)
                .isThrownBy(() -> CallerTransaction.dataSource("invoice", documents))
                .withMessageContaining("there is none. Add @Transactional; a transaction of R2DBC does not count");
        TransactionTemplate supports = new TransactionTemplate(new JdbcTransactionManager(documents));
        supports.setPropagationBehavior(TransactionDefinition.PROPAGATION_SUPPORTS);
        assertThatExceptionOfType(IllegalTransactionStateException.class)
                .isThrownBy(() -> supports.execute(status -> CallerTransaction.dataSource("invoice", documents)))
                .withMessageContaining("there is none");
    }

    @Test
    void rejectsTransactionThatIsCompleted() {
        new TransactionTemplate(new JdbcTransactionManager(documents)).executeWithoutResult(status -> {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCompletion(int completion) {
                    rejected.set(catchThrowable(() -> CallerTransaction.dataSource("invoice", documents)));
                }
            });
        });
        assertThat(rejected.get()).hasMessageContaining("there is none");
    }

    @Test
    void rejectsReadOnlyTransaction() {
        TransactionTemplate readOnly = new TransactionTemplate(new JdbcTransactionManager(documents));
        readOnly.setReadOnly(true);
        assertThatExceptionOfType(IllegalTransactionStateException.class)
                .isThrownBy(() -> readOnly.execute(status -> CallerTransaction.dataSource("invoice", documents)))
                .withMessageContaining("it is read-only");
    }

    @Test
    void rejectsTransactionOfAnotherDataSource() {
        rejects(
                new JdbcTransactionManager(others),
                documents,
                "it belongs to another transaction manager. Set 'snowflake.numbers.invoice.data-source'");
    }

    /** Spring keeps a connection until the end of the transaction of another manager, but does not commit on it. */
    @Test
    void rejectsConnectionThatIsKeptDuringTheTransactionOfAnotherDataSource() {
        new TransactionTemplate(new JdbcTransactionManager(others)).executeWithoutResult(status -> {
            new JdbcTemplate(documents).queryForObject("SELECT 1", Integer.class);
            assertThatExceptionOfType(IllegalTransactionStateException.class)
                    .isThrownBy(() -> CallerTransaction.dataSource("invoice", documents))
                    .withMessageContaining("another transaction manager");
        });
    }

    @Test
    void findsTransactionThroughProxies() {
        DataSource lazy = new LazyConnectionDataSourceProxy(documents);
        DataSource aware = new TransactionAwareDataSourceProxy(documents);
        assertThat(in(new JdbcTransactionManager(lazy), documents)).isSameAs(lazy);
        assertThat(in(new JdbcTransactionManager(documents), lazy)).isSameAs(documents);
        assertThat(in(new JdbcTransactionManager(documents), aware)).isSameAs(documents);
        assertThat(in(new JdbcTransactionManager(lazy), aware)).isSameAs(lazy);
        rejects(new JdbcTransactionManager(new LazyConnectionDataSourceProxy(others)), lazy, "another");
    }

    @Test
    void acceptsTransactionOfJpa() {
        LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
        factory.setDataSource(documents);
        factory.setPackagesToScan("io.github.snowflakeid.numbers");
        factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
        factory.setJpaProperties(new Properties());
        factory.afterPropertiesSet();
        try {
            JpaTransactionManager manager = new JpaTransactionManager(factory.getObject());
            assertThat(in(manager, documents)).isSameAs(documents);
            rejects(manager, others, "another transaction manager");
        } finally {
            factory.destroy();
        }
    }
}

package io.github.snowflakeid.numbers;

import javax.sql.DataSource;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Finds the caller's transaction, in which a gapless series takes its numbers. */
final class CallerTransaction {

    private CallerTransaction() {}

    /**
     * Returns the {@code DataSource} whose connection belongs to the caller's transaction: the given one, a proxy of
     * it, or its target.
     *
     * @throws IllegalTransactionStateException if there is no such transaction, or if it is read-only
     */
    static DataSource dataSource(String series, DataSource expected) {
        String problem =
                "it belongs to another transaction manager. Set 'snowflake.numbers.%s.data-source' to the DataSource of the documents"
                        .formatted(series);
        if (!TransactionSynchronizationManager.isActualTransactionActive()
                || !TransactionSynchronizationManager.isSynchronizationActive()) {
            problem = "there is none. Add @Transactional; a transaction of R2DBC does not count";
        } else if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
            problem = "it is read-only";
        } else {
            for (Object key : TransactionSynchronizationManager.getResourceMap().keySet()) {
                if (key instanceof DataSource bound
                        && target(bound).equals(target(expected))
                        && new Transactions(bound).isActive()) {
                    return bound;
                }
            }
        }
        throw new IllegalTransactionStateException(
                "No number was taken: gapless series '%s' needs the transaction that saves the document, but %s"
                        .formatted(series, problem));
    }

    private static DataSource target(DataSource dataSource) {
        DataSource target = dataSource instanceof DelegatingDataSource proxy ? proxy.getTargetDataSource() : null;
        return target == null ? dataSource : target(target);
    }

    /** Recognizes the connections of transactions. */
    private static final class Transactions extends DataSourceTransactionManager {

        private static final long serialVersionUID = 1L;

        Transactions(DataSource dataSource) {
            super(dataSource);
        }

        /**
         * Returns whether the bound connection belongs to a transaction. The managers of JPA and Hibernate do not mark
         * it. A connection that is only kept until the end of another manager's transaction is marked as synchronized;
         * changes on it could be lost.
         */
        boolean isActive() {
            Object bound = TransactionSynchronizationManager.getResource(obtainDataSource());
            return bound instanceof ConnectionHolder holder
                    && (!holder.isSynchronizedWithTransaction() || isExistingTransaction(doGetTransaction()));
        }
    }
}

package io.github.snowflakeid.data;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Persistable;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;
import org.springframework.transaction.support.TransactionSynchronization;

/**
 * Remembers the objects whose IDs this library has set until their rows are certainly stored. Spring Data updates an
 * object whose ID is set, so an object whose insert failed or was rolled back would be lost if it is saved again:
 *
 * <ul>
 *   <li>If no row was stored, the ID is forgotten, so that Spring Data inserts the object.
 *   <li>If the outcome is unknown, or if the object cannot be changed, it is unsaved: an update that finds no row
 *       inserts it.
 * </ul>
 *
 * <p>Objects are held weakly. Safe for use by any number of threads.
 */
final class UnsavedRows {

    private final Map<Row, Row> rows = new ConcurrentHashMap<>();
    private final ReferenceQueue<Object> collected = new ReferenceQueue<>();
    private final BooleanSupplier isOneDatabase;

    /**
     * @param isOneDatabase whether there is one database with one transaction manager. Otherwise, the rows may have been
     *     stored by another transaction than the one that was rolled back.
     */
    UnsavedRows(BooleanSupplier isOneDatabase) {
        this.isOneDatabase = isOneDatabase;
    }

    /**
     * Adds an object.
     *
     * @param object the object after its ID was set
     * @param id the ID before
     * @param version the version before
     */
    void add(Object object, Plan plan, @Nullable Object id, @Nullable Object version) {
        for (Reference<?> each = collected.poll(); each != null; each = collected.poll()) {
            ((Row) each).remove();
        }
        Row row = new Row(object, plan, id, version);
        rows.put(row, row);
    }

    /** Returns the row of an object whose ID this library has set; null if the row is stored. */
    @Nullable
    Row find(Object object, Plan plan) {
        return plan.hasAnnotatedId() && plan.idOf(object) != null ? rows.get(new Row(object, plan, null, null)) : null;
    }

    /** The row of one object. */
    final class Row extends WeakReference<Object> {

        private final int hash;
        private final Plan plan;
        private final @Nullable Object newId;
        private final @Nullable Object id;
        private final @Nullable Object version;
        private volatile boolean isStored;
        private volatile boolean isInDoubt;
        private volatile @Nullable Changes transaction;

        /** Refers to an embedded ID instead of the object, of which callbacks may have created a copy. */
        Row(Object object, Plan plan, @Nullable Object id, @Nullable Object version) {
            super(plan.embeddedId() == null ? object : Objects.requireNonNull(plan.idOf(object)), collected);
            hash = System.identityHashCode(get());
            this.plan = plan;
            newId = plan.embeddedId() == null ? plan.idOf(object) : null;
            this.id = plan.embeddedId() == null ? id : null;
            this.version = version;
        }

        boolean isUnsaved() {
            return !isStored;
        }

        /** Called after the row was inserted or updated. */
        void stored() {
            isStored = true;
            if (transaction == null) {
                remove();
            }
        }

        /** Keeps the ID from now on, because a row may have been stored. */
        void keepId() {
            isInDoubt = true;
        }

        /**
         * Forgets the ID, because no row was stored. Objects that decide themselves whether they are new keep theirs.
         */
        void forget() {
            isStored = false;
            Object object = get();
            RelationalPersistentEntity<?> entity = plan.entity();
            RelationalPersistentProperty property = entity.getRequiredIdProperty();
            if (object != null
                    && !isInDoubt
                    && !(object instanceof Persistable)
                    && plan.embeddedId() == null
                    && !property.isImmutable()
                    && Objects.equals(plan.idOf(object), newId)) {
                PersistentPropertyAccessor<Object> accessor = entity.getPropertyAccessor(object);
                accessor.setProperty(property, id);
                RelationalPersistentProperty versionProperty = entity.getVersionProperty();
                if (versionProperty != null && !versionProperty.isImmutable()) {
                    accessor.setProperty(versionProperty, version);
                }
                remove();
            }
        }

        private void remove() {
            rows.remove(this);
            Changes changes = transaction;
            if (changes != null) {
                changes.rows.remove(this);
            }
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        @SuppressWarnings("ReferenceEquality") // Equal objects may have different rows.
        public boolean equals(@Nullable Object other) {
            return this == other || (other instanceof Row row && get() != null && get() == row.get());
        }
    }

    /** The rows that one transaction has changed. */
    final class Changes implements TransactionSynchronization {

        private final Set<Row> rows = ConcurrentHashMap.newKeySet();
        private boolean isCommitting;

        void add(Row row) {
            row.transaction = this;
            rows.add(row);
        }

        @Override
        public void beforeCommit(boolean readOnly) {
            isCommitting = true;
        }

        /** It is unknown which rows were inserted before the savepoint. */
        @Override
        public void savepointRollback(Object savepoint) {
            rows.forEach(row -> row.isStored = false);
        }

        @Override
        public void afterCompletion(int status) {
            boolean isRolledBack = (status == STATUS_ROLLED_BACK || !isCommitting) && isOneDatabase.getAsBoolean();
            for (Row row : rows) {
                row.transaction = null;
                if (status == STATUS_COMMITTED) {
                    if (row.isStored) {
                        row.remove();
                    }
                } else if (isRolledBack) {
                    row.forget();
                } else {
                    row.isStored = false;
                    row.keepId();
                }
            }
        }
    }
}

package io.github.snowflakeid.it.mapping;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.hibernate.SnowflakeSettings;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

/** Saves rows in a new database, with IDs that count up from 101. */
final class RowSaver {

    private final AtomicLong last = new AtomicLong(100);

    static Consumer<Configuration> with(Class<?>... entities) {
        return configuration -> {
            for (Class<?> entity : entities) {
                configuration.addAnnotatedClass(entity);
            }
        };
    }

    <T> List<T> save(Consumer<Configuration> mapping, int rows, Supplier<T> row) {
        return save(mapping, Stream.generate(row).limit(rows).toList());
    }

    <T> List<T> save(Consumer<Configuration> mapping, List<T> rows) {
        IdGenerator ids = last::incrementAndGet;
        Configuration configuration = new Configuration()
                .setProperty("hibernate.connection.url", "jdbc:h2:mem:" + UUID.randomUUID())
                .setProperty("hibernate.hbm2ddl.auto", "create-drop");
        configuration.getProperties().put(SnowflakeSettings.ID_GENERATOR, ids);
        mapping.accept(configuration);
        try (SessionFactory factory = configuration.buildSessionFactory()) {
            return factory.fromTransaction(session -> {
                for (T each : rows) {
                    session.persist(each);
                    session.flush();
                }
                return rows;
            });
        }
    }
}

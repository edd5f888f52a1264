package io.github.snowflakeid.shardingsphere;

import io.github.snowflakeid.IdGenerator;

/**
 * Those of a generator of the application context. It is the context that was being started when ShardingSphere read its
 * configuration; when that is closed, as among tests, the newest of those that are left.
 */
final class ApplicationKeys implements Keys {

    private final String generator;
    private volatile Application application;

    /** @param generator its name, empty for the one without */
    ApplicationKeys(String generator) {
        this.generator = generator;
        application = Application.newest();
        application.needs(generator);
    }

    @Override
    public IdGenerator ids(String attribute) {
        Application current = application;
        if (current.isClosed()) {
            current = Application.newest();
            application = current;
        }
        return current.generator(generator, attribute);
    }
}

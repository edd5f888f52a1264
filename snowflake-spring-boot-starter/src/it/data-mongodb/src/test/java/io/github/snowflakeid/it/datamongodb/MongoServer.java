package io.github.snowflakeid.it.datamongodb;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;

/** The server of the property {@code test.mongodb.url}, or one in memory. */
public class MongoServer implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    static final String URL = url();

    private static String url() {
        String url = System.getProperty("test.mongodb.url", "");
        if (url.isBlank()) {
            // Ends with the JVM.
            url = new de.bwaldvogel.mongo.MongoServer(new MemoryBackend()).bindAndGetConnectionString() + "/test";
        }
        try (MongoClient client = MongoClients.create(url)) {
            client.getDatabase(url.substring(url.lastIndexOf('/') + 1)).drop();
        }
        return url;
    }

    /** Sets the property of both lines of Spring Boot. */
    @Override
    public void initialize(ConfigurableApplicationContext context) {
        TestPropertyValues.of("spring.data.mongodb.uri=" + URL, "spring.mongodb.uri=" + URL)
                .applyTo(context);
    }
}

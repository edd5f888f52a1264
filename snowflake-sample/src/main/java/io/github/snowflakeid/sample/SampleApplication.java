package io.github.snowflakeid.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The sample application, a small shop. */
@SpringBootApplication(proxyBeanMethods = false)
public final class SampleApplication {

    private SampleApplication() {}

    /**
     * Starts the shop.
     *
     * @param arguments properties, such as {@code --server.port=9090}
     */
    public static void main(String... arguments) {
        SpringApplication shop = new SpringApplication(SampleApplication.class);
        shop.addInitializers(new KeyOfThisRun());
        shop.run(arguments);
    }
}

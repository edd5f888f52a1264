package io.github.snowflakeid.sample;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Makes the key of links to orders where nobody has set one. A key that stands in the sources would be everybody's, so this one is
 * good until the shop closes. Do not do so where links matter: there, a shop without its key must not start.
 */
final class KeyOfThisRun implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    private static final Logger log = LoggerFactory.getLogger(KeyOfThisRun.class);

    private static final String NAME = "PUBLIC_ID_KEY";

    @Override
    public void initialize(ConfigurableApplicationContext shop) {
        ConfigurableEnvironment environment = shop.getEnvironment();
        if (!environment.containsProperty(NAME)) {
            byte[] key = new byte[32];
            new SecureRandom().nextBytes(key);
            environment
                    .getPropertySources()
                    .addLast(new MapPropertySource(
                            "key of this run", Map.of(NAME, Base64.getEncoder().encodeToString(key))));
            log.warn(
                    "{} is not set: links to orders break when the shop closes. To keep them: export {}=$(openssl rand -base64 32)",
                    NAME,
                    NAME);
        }
    }
}

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
 * Generates a key for public IDs if none is configured. A key in the source code would be known to everyone, so this key is random and
 * valid until the shop stops. Do not do this if links must keep working: there, startup should fail without a key.
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
                    "{} is not set: links to orders become invalid when the shop stops. To keep them valid: export {}=$(openssl rand -base64 32)",
                    NAME,
                    NAME);
        }
    }
}

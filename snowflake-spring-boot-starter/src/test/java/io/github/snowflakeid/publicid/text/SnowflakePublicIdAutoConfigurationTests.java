package io.github.snowflakeid.publicid.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.internal.failure.Failures;
import io.github.snowflakeid.text.PublicIds;
import io.github.snowflakeid.text.PublicIds.Format;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.SystemEnvironmentPropertySource;

class SnowflakePublicIdAutoConfigurationTests {

    private static final String SECRET = "3q2+7wAAECAwQFBgcICQoLDA0ODw/x4tPEtaaXiHlqU=";
    private static final String OTHER = "XaB185/6D7CvdSl4FxImXy1sux4VJGvI/BviSF6yfaA=";

    private static final PublicIds ONE = PublicIds.of(PublicIds.Key.of("a", SECRET));

    private static final String MAKE_A_KEY = """
            Generate a key, store it with your other secrets, and pass it to the application:

            export PUBLIC_ID_KEY=$(openssl rand -base64 32)

            In the configuration, give the key a name of one digit or letter:

            snowflake.public-ids.keys[0].name: a
            snowflake.public-ids.keys[0].secret: ${PUBLIC_ID_KEY}""";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(SnowflakePublicIdAutoConfiguration.class, SnowflakeAutoConfiguration.class))
            .withPropertyValues("snowflake.worker.id=7");

    @ParameterizedTest
    @ValueSource(strings = {"", "snowflake.public-ids.keys=", "snowflake.public-ids.format=compact"})
    void thereAreNoneWithoutAKey(String property) {
        runner.withPropertyValues(property.isEmpty() ? new String[0] : new String[] {property})
                .run(context -> assertThat(
                                context.getBeanProvider(PublicIds.class).getIfAvailable())
                        .isNull());
    }

    @Test
    void keysComeFromASecret() {
        runner.withPropertyValues("PUBLIC_ID_KEY=" + SECRET)
                .withPropertyValues(key(0, "a", " ${PUBLIC_ID_KEY} "))
                .run(context -> assertThat(context.getBean(PublicIds.class).encode("order", 1))
                        .isEqualTo(ONE.encode("order", 1)));
    }

    @Test
    void keysComeFromEnvironmentVariables() {
        Map<String, Object> variables =
                Map.of("SNOWFLAKE_PUBLICIDS_KEYS_0_NAME", "a", "SNOWFLAKE_PUBLICIDS_KEYS_0_SECRET", SECRET);
        runner.withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", variables)))
                .run(context -> assertThat(context.getBean(PublicIds.class).decode("order", ONE.encode("order", 1)))
                        .isOne());
    }

    @Test
    void theFirstKeyEncodesAndAllDecode() {
        runner.withPropertyValues(key(0, "b", OTHER))
                .withPropertyValues(key(1, "a", SECRET))
                .run(context -> {
                    PublicIds publicIds = context.getBean(PublicIds.class);
                    assertThat(publicIds).hasToString("checked public IDs, keys 'b', 'a'");
                    assertThat(publicIds.encode("order", 1)).startsWith("b");
                    assertThat(publicIds.decode("order", ONE.encode("order", 1)))
                            .isOne();
                });
    }

    private static String[] key(int index, String name, String secret) {
        String key = "snowflake.public-ids.keys[" + index + "].";
        return new String[] {key + "name=" + name, key + "secret=" + secret};
    }

    @Test
    void textsAreShortIfThatIsSet() {
        runner.withPropertyValues(key(0, "a", SECRET))
                .withPropertyValues("snowflake.public-ids.format=compact")
                .run(context -> assertThat(context.getBean(PublicIds.class).encode("order", 1))
                        .hasSize(12));
    }

    @Test
    void aBeanOfTheApplicationComesFirst() {
        PublicIds own = PublicIds.of(Format.COMPACT, List.of(PublicIds.Key.of("z", OTHER)));

        runner.withBean("own", PublicIds.class, () -> own)
                .withPropertyValues(key(0, "a", SECRET))
                .run(context -> assertThat(context.getBean(PublicIds.class)).isSameAs(own));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    a | c2VjcmV0                       | key 'a' must have 32 bytes (44 characters of Base64), but has 6 bytes. Generate a key with 'openssl rand -base64 32'.
                    a | AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA= | key 'a' is not random: its bytes repeat or count. Generate a key with 'openssl rand -base64 32'.
                    a | correct horse battery staple   | key 'a' is not Base64. Generate a key with 'openssl rand -base64 32'.
                    a | ''                             | key 'a' must have 32 bytes (44 characters of Base64), but has 0 bytes. Generate a key with 'openssl rand -base64 32'.
                    '' | c2VjcmV0                      | the name of a key must be one character of 0-9, A-Z and a-z, because public IDs begin with it, but has 0 characters.
                    XaB185/6D7CvdSl4FxImXy1sux4VJGvI/BviSF6yfaA= | a | the name of a key must be one character of 0-9, A-Z and a-z, because public IDs begin with it, but has 44 characters.
                    """)
    void aWeakOrWrongKeyDoesNotStartAndIsNotShown(String name, String secret, String reason) {
        ApplicationContextRunner weak = runner.withPropertyValues(key(0, name, secret));

        assertThatStartFails(weak, "Invalid 'snowflake.public-ids.keys[0]': " + reason, MAKE_A_KEY);
        weak.withPropertyValues("PUBLIC_ID_KEY=" + SECRET)
                .withPropertyValues(key(0, "a", "${PUBLIC_ID_KEY}"))
                .run(context -> assertThat(context).as("after what is advised").hasSingleBean(PublicIds.class));
    }

    @Test
    void theSameKeyTwiceIsRejected() {
        assertThatStartFails(
                runner.withPropertyValues(key(0, "a", OTHER)).withPropertyValues(key(1, "b", OTHER)),
                "Invalid 'snowflake.public-ids.keys': keys 'b' and 'a' are the same key; a new key must be random. Generate a key with"
                        + " 'openssl rand -base64 32'.",
                MAKE_A_KEY);
    }

    @Test
    void aKeyWithoutNameAndSecretIsRejected() {
        assertThatStartFails(
                runner.withPropertyValues("snowflake.public-ids.keys=a:" + OTHER),
                "Property 'snowflake.public-ids.keys' must be a list of keys, each with a name and a secret (\"snowflake.public-ids.keys\" from property source \"test\").",
                "Set a list of keys, each with a name and a secret.");
    }

    @Test
    void keyInTheWrongPlaceIsNotShown() {
        assertThatStartFails(
                runner.withPropertyValues(key(1, "a", OTHER)),
                "Property 'snowflake.public-ids.keys[1].name' has no effect (\"snowflake.public-ids.keys[1].name\" from property source \"test\").",
                "Remove 'snowflake.public-ids.keys[1].name', or use a name of the documentation and number the elements of lists from 0.");
    }

    @Test
    void missingSecretIsNamed() {
        assertThatStartFails(
                runner.withPropertyValues(key(0, "a", "${PUBLIC_ID_KEY}")),
                "Invalid 'snowflake.public-ids.keys[0]': a secret refers to 'PUBLIC_ID_KEY', which is not set.",
                MAKE_A_KEY);
    }

    @Test
    void anUnknownFormatDoesNotStart() {
        assertThatStartFails(
                runner.withPropertyValues(key(0, "a", SECRET))
                        .withPropertyValues("snowflake.public-ids.format=" + OTHER),
                "Property 'snowflake.public-ids.format' must be one of checked, compact (\"snowflake.public-ids.format\" from property source \"test\").",
                "Set one of checked, compact.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "snowflake.public-ids.keys.a=",
                "snowflake.public-ids.keys[0].secrets=a:",
                "snowflake.public-ids.keys[0][0]=a:",
                "snowflake.public-ids.key=a:",
                "snowflake.public-ids.source=a:",
                "snowflake.generators.orders.public-ids.keys=a:"
            })
    void aKeyInAPropertyThatIsNoneIsNotShownEither(String property) {
        runner.withPropertyValues(property + OTHER).run(context -> {
            assertThat(context).hasFailed();
            assertThat(stackTrace(context.getStartupFailure())).doesNotContain(OTHER);
        });
    }

    @Test
    void aPropertyOfTheWholeApplicationIsRejectedForOneGenerator() {
        runner.withPropertyValues("snowflake.generators.orders.public-ids.keys[0].secret=" + SECRET)
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining(
                                "Property 'snowflake.generators.orders.public-ids.keys[0].secret' is unknown")
                        .hasStackTraceContaining("Did you mean 'snowflake.public-ids.keys[0].secret'?"));
    }

    private static void assertThatStartFails(ApplicationContextRunner runner, String description, String action) {
        runner.run(context -> {
            Failures.assertThatFailure(context.getStartupFailure(), description, action);
            assertThat(stackTrace(context.getStartupFailure()))
                    .doesNotContain(SECRET, OTHER, "c2VjcmV0", "staple", "AAAA");
        });
    }

    private static String stackTrace(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}

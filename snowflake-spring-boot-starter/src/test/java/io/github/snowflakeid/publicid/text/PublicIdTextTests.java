package io.github.snowflakeid.publicid.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.snowflakeid.json.IdAsString;
import io.github.snowflakeid.publicid.PublicId;
import io.github.snowflakeid.text.PublicIds;
import java.io.File;
import java.io.Serializable;
import java.lang.reflect.Constructor;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class PublicIdTextTests {

    private static final String SECRET = "3q2+7wAAECAwQFBgcICQoLDA0ODw/x4tPEtaaXiHlqU=";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(SnowflakePublicIdAutoConfiguration.class));

    @PublicId(value = "order", prefix = "ord_")
    public record NumberId(Long value) {

        @Override
        public String toString() {
            return PublicIdText.of(this);
        }
    }

    @PublicId("order")
    record OrderId(long value) implements Serializable {

        @Override
        public String toString() {
            return PublicIdText.of(this);
        }
    }

    @IdAsString(prefix = "inv_")
    record InvoiceId(long value) {

        @Override
        public String toString() {
            return PublicIdText.of(this);
        }
    }

    record Plain(long value) {}

    @Test
    void toStringIsThePublicId() {
        runner.withPropertyValues(
                        "snowflake.public-ids.keys[0].name=a", "snowflake.public-ids.keys[0].secret=" + SECRET)
                .run(context -> {
                    PublicIds publicIds = context.getBean(PublicIds.class);
                    assertThat(new NumberId(42L)).hasToString("ord_" + publicIds.encode("order", 42));
                    assertThat(new OrderId(42)).hasToString(publicIds.encode("order", 42));
                    assertThatTextsAreDistinct(new HashSet<>());
                });
        assertThat(new InvoiceId(42)).hasToString("inv_42");
        assertThat(new NumberId(null)).hasToString("null");
        assertThat(new NumberId(-1L)).hasToString("-1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PublicIdText.of(new Plain(7)))
                .withMessage(Plain.class.getName() + " is no typed ID with @PublicId");
    }

    @Test
    void beanOfTheApplicationIsUsed() {
        PublicIds own = PublicIds.of(PublicIds.Key.of("b", SECRET));

        runner.withBean(PublicIds.class, () -> own)
                .run(context -> assertThat(new NumberId(42L)).hasToString("ord_" + own.encode("order", 42)));
    }

    /** Caches, locks and message keys may use the text, so two IDs must not have the same one. */
    private static void assertThatTextsAreDistinct(Set<String> texts) {
        LongStream.range(0, 10_000).forEach(id -> {
            assertThat(texts.add(new NumberId(id).toString())).isTrue();
            assertThat(texts.add(new NumberId(Long.MAX_VALUE - id).toString())).isTrue();
        });
    }

    /** Loads the classes again, because other tests have configured keys. */
    @Test
    void textIsDistinctAndHidesTheNumberBeforeThereAreKeys() throws Exception {
        URL[] classes = Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                .splitAsStream(System.getProperty("java.class.path"))
                .map(PublicIdTextTests::url)
                .toArray(URL[]::new);
        try (URLClassLoader fresh = new URLClassLoader(classes, ClassLoader.getPlatformClassLoader())) {
            Constructor<?> orderId = fresh.loadClass(NumberId.class.getName()).getConstructor(Long.class);
            Set<String> texts = new HashSet<>();
            for (long id = 0; id < 1_000; id++) {
                String text = orderId.newInstance(id).toString();

                assertThat(text).startsWith("unreadable-ord_").hasSize("unreadable-ord_".length() + 19);
                assertThat(texts.add(text)).isTrue();
            }
            assertThat(orderId.newInstance(7L).toString())
                    .isEqualTo(orderId.newInstance(7L).toString());
        }
    }

    private static URL url(String path) {
        try {
            return Path.of(path).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(e);
        }
    }
}

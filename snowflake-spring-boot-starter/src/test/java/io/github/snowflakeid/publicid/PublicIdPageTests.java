package io.github.snowflakeid.publicid;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.text.PublicIds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;

/** Starts an application with each configuration of docs/public-ids.md. */
class PublicIdPageTests {

    private static final String SECRET = "3q2+7wAAECAwQFBgcICQoLDA0ODw/x4tPEtaaXiHlqU=";
    private static final String NEW_SECRET = "XaB185/6D7CvdSl4FxImXy1sux4VJGvI/BviSF6yfaA=";

    @Test
    void yamlConfiguresPublicIds() throws IOException {
        assertThat(blocks().stream().map(PublicIdPageTests::configured))
                .containsExactly("checked public IDs, keys 'a'", "checked public IDs, keys 'b', 'a'");
    }

    private static String configured(String yaml) {
        StringBuilder configured = new StringBuilder();
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(SnowflakePublicIdAutoConfiguration.class))
                .withPropertyValues("PUBLIC_ID_KEY=" + SECRET, "NEW_PUBLIC_ID_KEY=" + NEW_SECRET)
                .withInitializer(
                        context -> load(yaml).forEach(context.getEnvironment().getPropertySources()::addLast))
                .run(context -> configured.append(context.getBean(PublicIds.class)));
        return configured.toString();
    }

    private static List<PropertySource<?>> load(String yaml) {
        try {
            return new YamlPropertySourceLoader()
                    .load("page", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> blocks() throws IOException {
        String page = Files.readString(Path.of("../docs/public-ids.md"));
        return Pattern.compile("```yaml\\R(.*?)```", Pattern.DOTALL)
                .matcher(page)
                .results()
                .map(block -> block.group(1))
                .toList();
    }
}

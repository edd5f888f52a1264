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

/** What docs/public-ids.md says of Spring is so. */
class PublicIdPageTests {

    private static final String SECRET = "3q2+7wAAECAwQFBgcICQoLDA0ODw/x4tPEtaaXiHlqU=";
    private static final String NEW_SECRET = "XaB185/6D7CvdSl4FxImXy1sux4VJGvI/BviSF6yfaA=";

    @Test
    void javaIsCompiledAndRunByATestApplication() throws IOException {
        Path code = Path.of("src/it/public-ids/src/main/java/io/github/snowflakeid/it/publicids");
        String all = Files.readString(code.resolve("OrderController.java"))
                + Files.readString(code.resolve("KindController.java"))
                + Files.readString(code.resolve("LabelController.java"));

        assertThat(blocks("java"))
                .hasSize(4)
                .allSatisfy(block -> assertThat(withoutSpace(all)).contains(withoutSpace(block)));
    }

    @Test
    void yamlMakesPublicIds() throws IOException {
        assertThat(blocks("yaml").stream().map(PublicIdPageTests::made))
                .containsExactly("checked public ids, keys 'a'", "checked public ids, keys 'b', 'a'");
    }

    private static String made(String yaml) {
        StringBuilder made = new StringBuilder();
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(SnowflakePublicIdAutoConfiguration.class))
                .withPropertyValues("PUBLIC_ID_KEY=" + SECRET, "NEW_PUBLIC_ID_KEY=" + NEW_SECRET)
                .withInitializer(
                        context -> load(yaml).forEach(context.getEnvironment().getPropertySources()::addLast))
                .run(context -> made.append(context.getBean(PublicIds.class)));
        return made.toString();
    }

    private static List<PropertySource<?>> load(String yaml) {
        try {
            return new YamlPropertySourceLoader()
                    .load("page", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> blocks(String language) throws IOException {
        String page = Files.readString(Path.of("../docs/public-ids.md"));
        String spring = page.substring(page.indexOf("\n## Spring\n"), page.indexOf("\n## Formats\n"));
        return Pattern.compile("```" + language + "\\R(.*?)```", Pattern.DOTALL)
                .matcher(spring)
                .results()
                .map(block -> block.group(1))
                .toList();
    }

    private static String withoutSpace(String text) {
        return text.replaceAll("\\s", "");
    }
}

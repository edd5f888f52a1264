package io.github.snowflakeid.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.publicid.text.SnowflakePublicIdAutoConfiguration;
import io.github.snowflakeid.text.PublicIds;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Starts an application with each configuration of docs/public-ids.md. */
class PublicIdPageTests {

    private static final String SECRET = "3q2+7wAAECAwQFBgcICQoLDA0ODw/x4tPEtaaXiHlqU=";
    private static final String NEW_SECRET = "XaB185/6D7CvdSl4FxImXy1sux4VJGvI/BviSF6yfaA=";

    @Test
    void yamlConfiguresPublicIds() {
        assertThat(Page.of("public-ids.md").blocks("yaml").stream().map(PublicIdPageTests::configured))
                .containsExactly("checked public IDs, keys 'a'", "checked public IDs, keys 'b', 'a'");
    }

    private static String configured(String yaml) {
        StringBuilder configured = new StringBuilder();
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(SnowflakePublicIdAutoConfiguration.class))
                .withPropertyValues("PUBLIC_ID_KEY=" + SECRET, "NEW_PUBLIC_ID_KEY=" + NEW_SECRET)
                .withInitializer(context ->
                        Page.properties(yaml).forEach(context.getEnvironment().getPropertySources()::addLast))
                .run(context -> configured.append(context.getBean(PublicIds.class)));
        return configured.toString();
    }
}

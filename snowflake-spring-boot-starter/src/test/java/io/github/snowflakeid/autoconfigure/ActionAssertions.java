package io.github.snowflakeid.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * Applies the action of a failure analysis to a configuration, one alternative after the other, and checks that the
 * application starts.
 */
public final class ActionAssertions {

    private static final Pattern LINE = Pattern.compile("([a-z]+(?:[.][a-z0-9-]+(?:\\[\\d])?)+): (.*)");
    private static final Pattern REPLACE = Pattern.compile("[Rr]eplace '([^']+)' with");
    private static final Pattern REMOVE = Pattern.compile("[Rr]emove '([^']+)'");

    private static final Pattern LINK = Pattern.compile("\\n\\nMore about this: \\S+/docs/troubleshooting.md#[a-z-]+$");

    /** A system property with the address of a server that replaces the server in the action. */
    static final String ZOOKEEPER = "snowflake-tests.zookeeper";

    private static final Path LEASES = Path.of("target", "leases").toAbsolutePath();

    private ActionAssertions() {}

    /** One alternative: the properties to remove and the properties to set. */
    record Edit(Set<String> remove, Map<String, Object> set) {

        /** Returns whether the property is to be removed, itself or with its group. */
        private boolean isRemoved(String property) {
            return remove.stream()
                    .anyMatch(each -> property.equals(each)
                            || property.startsWith(each + ".")
                            || property.startsWith(each + "["));
        }

        void applyTo(ConfigurableEnvironment environment) {
            environment.getPropertySources().stream()
                    .filter(MapPropertySource.class::isInstance)
                    .map(source -> ((MapPropertySource) source).getSource())
                    .filter(LinkedHashMap.class::isInstance)
                    .forEach(properties -> properties.keySet().removeIf(this::isRemoved));
            // The environment variables that the action mentions.
            Map<String, Object> all =
                    new LinkedHashMap<>(Map.of("WORKER_ID", "3", "DATACENTER_ID", "0", "ORDERS_WORKER_ID", "4"));
            all.putAll(set);
            // Replaces the server and the directory by existing ones.
            all.replaceAll((property, value) ->
                    property.matches(".*[.]jdbc[.]urls?") && value.equals("jdbc:postgresql://localhost/shop")
                            ? "jdbc:h2:mem:shop"
                            : value);
            all.replace(
                    "snowflake.worker.zookeeper.connect-string",
                    "localhost:2181",
                    System.getProperty(ZOOKEEPER, "localhost:2181"));
            all.replace("snowflake.worker.file.directory", "/var/lib/snowflake", LEASES.toString());
            environment.getPropertySources().addFirst(new MapPropertySource("advice", all));
        }
    }

    public static FailureAnalysis analysis(@Nullable Throwable failure) {
        return analysis(failure, new StandardEnvironment());
    }

    static FailureAnalysis analysis(@Nullable Throwable failure, Environment environment) {
        assertThat(failure).as("startup failure").isNotNull();
        FailureAnalysis analysis =
                new ConfigurationFailureAnalyzer(new DefaultListableBeanFactory(), environment).analyze(failure);
        assertThat(analysis).as("analysis of %s", failure).isNotNull();
        assertThat(analysis.getAction()).containsPattern(LINK);
        return new FailureAnalysis(
                analysis.getDescription(), LINK.matcher(analysis.getAction()).replaceFirst(""), analysis.getCause());
    }

    /** Asserts the description and the action, and that the action works. */
    static void assertThatFailure(
            ApplicationContextRunner runner, String description, String action, String... reasonsThatMayRemain) {
        runner.run(context -> assertThatFailure(context.getStartupFailure(), description, action));
        assertThatItWorks(runner, action, reasonsThatMayRemain);
    }

    public static void assertThatFailure(@Nullable Throwable failure, String description, String action) {
        FailureAnalysis analysis = analysis(failure);
        assertThat(analysis.getDescription()).isEqualTo(description);
        assertThat(analysis.getAction()).isEqualTo(action);
    }

    /** Asserts that with each alternative, the application starts or fails for another, expected reason. */
    static void assertThatItWorks(ApplicationContextRunner runner, String action, String... reasonsThatMayRemain) {
        for (Edit edit : edits(action)) {
            runner.withInitializer(context -> edit.applyTo(context.getEnvironment()))
                    .run(context -> {
                        if (context.getStartupFailure() != null) {
                            assertThat(analysis(context.getStartupFailure()).getDescription())
                                    .as("after %s", edit)
                                    .isIn((Object[]) reasonsThatMayRemain);
                        }
                    });
        }
    }

    static List<Edit> edits(String action) {
        List<Edit> edits = new ArrayList<>();
        Set<String> replaced = Set.of();
        @Nullable Edit block = null;
        for (String line : action.lines().toList()) {
            Matcher property = LINE.matcher(line);
            if (property.matches()) {
                if (block == null) {
                    block = new Edit(replaced, new LinkedHashMap<>());
                    edits.add(block);
                }
                block.set().put(property.group(1), property.group(2));
            } else {
                block = null;
                if (!line.isBlank()) {
                    replaced = found(REPLACE, line);
                    Set<String> removed = found(REMOVE, line);
                    if (!removed.isEmpty()) {
                        edits.add(new Edit(removed, Map.of()));
                    }
                }
            }
        }
        return edits;
    }

    private static Set<String> found(Pattern pattern, String line) {
        Set<String> found = new LinkedHashSet<>();
        pattern.matcher(line).results().forEach(match -> found.add(match.group(1)));
        return found;
    }
}

package io.github.snowflakeid.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.snowflakeid.IdFields;
import io.github.snowflakeid.IdLayout;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the text of the functions and their arithmetic. Tests of the starter run the functions on databases. */
class SqlFunctionsTests {

    private static final IdLayout CUSTOM = IdLayout.builder()
            .epoch(Instant.parse("1999-12-31T23:59:59.001Z"))
            .tick(Duration.ofMillis(1250))
            .timestampBits(35)
            .datacenterBits(3)
            .workerBits(9)
            .sequenceBits(10)
            .build();

    @ParameterizedTest
    @EnumSource
    void readyMadeScriptIsThatOfTheDefaultLayout(SqlFunctions dialect) throws IOException {
        Path file = Path.of("../docs/sql/snowflake-functions-%s.sql"
                .formatted(dialect.name().toLowerCase(Locale.ROOT)));

        assertThat(Files.readString(file)).isEqualTo(dialect.script(IdLayout.DEFAULT));
    }

    @ParameterizedTest
    @EnumSource
    void scriptSaysWhichLayoutItIsForAndHasNoPlaceholderLeft(SqlFunctions dialect) {
        assertThat(dialect.script(CUSTOM))
                .contains("-- Layout: " + CUSTOM + "\n")
                .doesNotContain("${", "\t");
    }

    @ParameterizedTest
    @EnumSource
    void scriptCreatesEachFunctionOnceAndCanRunAgain(SqlFunctions dialect) {
        String script = dialect.script(CUSTOM);

        assertThat(Stream.of("time", "first_id", "datacenter", "worker", "sequence"))
                .allSatisfy(name -> {
                    String function = " snowflake_" + name + "\\b";
                    assertThat(script)
                            .containsOnlyOnce("snowflake_" + name
                                    + (dialect == SqlFunctions.H2
                                            ? " DET"
                                            : "(" + (name.equals("first_id") ? "ts " : "id ")));
                    assertThat(script)
                            .containsPattern("CREATE OR REPLACE FUNCTION" + function
                                    + "|DROP (FUNCTION|ALIAS) IF EXISTS" + function);
                });
    }

    /** A client that splits a script at semicolons must not split a function. */
    @ParameterizedTest
    @EnumSource
    void semicolonsAreAtTheEndOfStatementsOrInQuotes(SqlFunctions dialect) {
        String script = dialect.script(CUSTOM).replaceAll("(?m)^--.*\n", "").replaceAll("(?s)'[^']*'", "''");

        assertThat(Arrays.stream(script.split(";")).map(String::strip).filter(each -> !each.isEmpty()))
                .allSatisfy(each -> assertThat(each).matches("(?s)(CREATE|DROP) .*"));
    }

    @Test
    void numbersOfALayoutAreInItsScripts() {
        assertThat(SqlFunctions.POSTGRESQL.script(CUSTOM))
                .contains(
                        "TIMESTAMP '1999-12-31 23:59:59.001' + (id >> 22) * INTERVAL '1250 milliseconds'",
                        "ts - TIMESTAMPTZ '1999-12-31 23:59:59.001+00') * 1000000)::BIGINT / 1250000 * 4194304",
                        "((id >> 19) & 7)::INTEGER",
                        "((id >> 10) & 511)::INTEGER",
                        "(id & 1023)::INTEGER");
        for (SqlFunctions dialect : new SqlFunctions[] {SqlFunctions.MYSQL, SqlFunctions.MARIADB}) {
            assertThat(dialect.script(CUSTOM))
                    .contains(
                            "TIMESTAMP'1999-12-31 23:59:59.001' + INTERVAL (id >> 22) * 1250000 MICROSECOND;",
                            "TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'1999-12-31 23:59:59.001', ts) DIV 1250000 * 4194304;",
                            "RETURN (id >> 19) & 7;",
                            "RETURN (id >> 10) & 511;",
                            "RETURN id & 1023;");
        }
    }

    static Stream<IdLayout> layouts() {
        return Stream.concat(
                IdLayout.presets().values().stream(),
                Stream.of(
                        CUSTOM,
                        CUSTOM.toBuilder()
                                .timestampBits(22)
                                .datacenterBits(0)
                                .workerBits(31)
                                .build(),
                        CUSTOM.toBuilder().epoch(Instant.EPOCH.minusMillis(1)).build(),
                        IdLayout.builder().timestampBits(45).workerBits(0).build()));
    }

    /** The functions of H2 are Java, so they run here, too. */
    @ParameterizedTest
    @MethodSource("layouts")
    void functionsOfH2ReturnTheSameAsTheLayout(IdLayout layout, @TempDir Path directory) throws Exception {
        try (Functions functions = new Functions(layout, directory)) {
            SplittableRandom random = new SplittableRandom(1);
            long highest = layout.range(layout.epoch(), layout.end()).last();
            for (long id : LongStream.concat(LongStream.of(0, highest), random.longs(100, 0, highest))
                    .toArray()) {
                IdFields fields = layout.decode(id);
                OffsetDateTime time = fields.timestamp().atOffset(ZoneOffset.UTC);

                assertThat(functions.call("time", id)).isEqualTo(time);
                assertThat(functions.call("datacenter", id)).isEqualTo(fields.datacenterId());
                assertThat(functions.call("worker", id)).isEqualTo(fields.workerId());
                assertThat(functions.call("sequence", id)).isEqualTo(fields.sequence());
                assertThat(functions.call("firstId", time.plusNanos(999_999)))
                        .isEqualTo(layout.firstId(fields.timestamp()));
            }
        }
    }

    @Test
    void firstIdOfH2IsNegativeBeforeTheEpochAndAnErrorBeyondALong(@TempDir Path directory) throws Exception {
        try (Functions functions = new Functions(IdLayout.DEFAULT, directory)) {
            OffsetDateTime epoch = IdLayout.DEFAULT.epoch().atOffset(ZoneOffset.UTC);

            assertThat((Long) functions.call("firstId", epoch.minusNanos(1))).isNegative();
            assertThat((Long) functions.call("firstId", epoch.minusYears(30))).isNegative();
            assertThatExceptionOfType(ArithmeticException.class)
                    .isThrownBy(() -> functions.call(
                            "firstId",
                            IdLayout.DEFAULT.end().atOffset(ZoneOffset.UTC).plusYears(70)));
        }
    }

    /** The sources in the script of H2, compiled as H2 does. */
    private static final class Functions implements AutoCloseable {

        private final URLClassLoader loader;
        private final Class<?> type;

        Functions(IdLayout layout, Path directory) throws Exception {
            Matcher sources = Pattern.compile("(?s) AS '(.*?)'").matcher(SqlFunctions.H2.script(layout));
            String body = sources.results()
                    .map(found -> "public static " + found.group(1).strip())
                    .collect(Collectors.joining("\n"));
            Path file = directory.resolve("Compiled.java");
            Files.writeString(file, "public class Compiled {\n" + body + "\n}\n");
            assertThat(ToolProvider.findFirst("javac").orElseThrow().run(System.out, System.err, file.toString()))
                    .isZero();
            loader = new URLClassLoader(new URL[] {directory.toUri().toURL()}, null);
            type = loader.loadClass("Compiled");
        }

        Object call(String name, Object argument) throws Exception {
            Method method = Arrays.stream(type.getMethods())
                    .filter(each -> each.getName().equals(name))
                    .findFirst()
                    .orElseThrow();
            try {
                return method.invoke(null, argument);
            } catch (InvocationTargetException e) {
                throw e.getCause() instanceof Exception cause ? cause : e;
            }
        }

        @Override
        public void close() throws IOException {
            loader.close();
        }
    }
}

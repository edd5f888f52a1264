package io.github.snowflakeid;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.lang.annotation.ElementType;
import java.lang.annotation.Target;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnowflakeIdTests {

    @Test
    void compilesWithoutWarningIfThereIsNoMapper(@TempDir Path classes) throws Exception {
        Path core = Path.of(SnowflakeId.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        StringWriter output = new StringWriter();
        JavaCompiler.CompilationTask compilation = ToolProvider.getSystemJavaCompiler()
                .getTask(
                        output,
                        null,
                        null,
                        List.of("-Xlint:all", "-Werror", "-cp", core.toString(), "-d", classes.toString()),
                        null,
                        List.of(source("Order", """
                                import io.github.snowflakeid.SnowflakeId;

                                class Order {

                                    @SnowflakeId
                                    Long id;

                                    @SnowflakeId("orders")
                                    Long number() {
                                        return 1L;
                                    }
                                }
                                """)));

        assertThat(compilation.call()).as(output::toString).isTrue();
        assertThat(output.toString()).isEmpty();
    }

    /** Kotlin puts an annotation on the constructor parameter and not on the field, if it is allowed there. */
    @Test
    void isNotForParameters() {
        assertThat(SnowflakeId.class.getAnnotation(Target.class).value())
                .containsExactly(ElementType.FIELD, ElementType.METHOD, ElementType.TYPE);
    }

    private static JavaFileObject source(String type, String code) {
        return new SimpleJavaFileObject(URI.create("string:///" + type + ".java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return code;
            }
        };
    }
}

package io.github.snowflakeid.it.datajdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The code that Spring Data 4 generates during ahead-of-time processing. */
// Slow: needs ahead-of-time processing.
@Tag("full")
class GeneratedRepositoryTests {

    @Test
    void queriesByTypedIdsAreGenerated() throws Exception {
        byte[] repository = Files.readAllBytes(Path.of(
                System.getProperty("aot.classes"),
                "io/github/snowflakeid/it/datajdbc/DataJdbcVoucherRepositoryImpl__AotRepository.class"));

        assertThat(new String(repository, StandardCharsets.ISO_8859_1)).contains("findByIdIn");
    }
}

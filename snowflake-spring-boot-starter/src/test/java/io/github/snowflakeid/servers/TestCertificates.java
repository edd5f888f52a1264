package io.github.snowflakeid.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleKey;
import org.springframework.boot.ssl.jks.JksSslStoreBundle;
import org.springframework.boot.ssl.jks.JksSslStoreDetails;

/** Certificates that sign themselves. */
public final class TestCertificates {

    private TestCertificates() {}

    /** Creates a store with a key and a certificate for {@code localhost}. */
    public static Path store(Path file, String type, String password) throws Exception {
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        Process process = new ProcessBuilder(
                        keytool,
                        "-genkeypair",
                        "-alias",
                        "a",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-storetype",
                        type,
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        password,
                        "-keypass",
                        password)
                .redirectErrorStream(true)
                .start();
        process.getInputStream().readAllBytes();
        assertThat(process.waitFor()).isZero();
        return file;
    }

    /** Creates a certificate for {@code localhost}, and trusts it. */
    public static SslBundle bundle(Path directory) throws Exception {
        Path file = store(directory.resolve("localhost.p12"), "PKCS12", "secret");
        JksSslStoreDetails details = new JksSslStoreDetails("PKCS12", null, "file:" + file, "secret");
        return SslBundle.of(new JksSslStoreBundle(details, details), SslBundleKey.of("secret"));
    }
}

package io.github.snowflakeid.it.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.persistence.EntityManagerFactory;
import org.hibernate.Version;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.test.context.SpringBootTest;

@SpringBootTest
class VersionsTests {
    @Autowired
    private EntityManagerFactory entityManagerFactory;

    @Test
    void startsOnTheVersionOfSpringBootThatIsAskedFor() {
        String boot = SpringBootVersion.getVersion();
        String hibernate = Version.getVersionString();
        System.out.println("Tests of JPA run on Spring Boot " + boot + ", Hibernate " + hibernate);

        assertThat(boot).isEqualTo(System.getProperty("spring-boot.version"));
        assertThat(hibernate).startsWith(boot.startsWith("3.") ? "6." : "7.");
        assertThat(entityManagerFactory.isOpen()).isTrue();
    }
}

package io.github.snowflakeid.it.tenants;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.hibernate.annotations.TenantId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** An application without a tenant at startup. */
@ExtendWith(OutputCaptureExtension.class)
class TenantColumnTests {

    @Entity(name = "contract")
    static class Contract {

        @Id
        @SnowflakeId
        Long id;

        @TenantId
        String tenant;
    }

    @EnableAutoConfiguration
    @AutoConfigurationPackage
    static class TenantShop {}

    @Test
    void columnsOfTenantsAreChecked(CapturedOutput output) {
        new SpringApplicationBuilder(TenantShop.class)
                .web(WebApplicationType.NONE)
                .run(
                        "--spring.datasource.url=jdbc:h2:mem:tenants;INIT=create table if not exists contract (id integer primary key, tenant varchar(20))",
                        "--spring.jpa.hibernate.ddl-auto=none",
                        "--spring.sql.init.mode=never",
                        "--snowflake.worker.id=1")
                .close();

        assertThat(output).contains("change the type of id in table contract to BIGINT");
    }
}

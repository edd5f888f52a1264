package io.github.snowflakeid.it.datajdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.snowflakeid.SnowflakeId;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.data.annotation.CreatedDate;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.LastModifiedDate;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
import org.springframework.data.jdbc.repository.config.EnableJdbcAuditing;
import org.springframework.transaction.support.TransactionTemplate;

/** Combines IDs with transactions and auditing. */
@SpringBootTest(
        classes = {DataJdbcShop.class, DataJdbcTransactionTests.Auditing.class},
        properties = "spring.datasource.url=jdbc:h2:mem:memos")
class DataJdbcTransactionTests {

    @Autowired
    private JdbcAggregateTemplate template;

    @Test
    void rolledBackTransactionKeepsNoRowAndItsIdsAreNotIssuedAgain(@Autowired TransactionTemplate transaction) {
        List<Long> tornOut = new ArrayList<>();
        assertThatIllegalStateException()
                .isThrownBy(() -> transaction.executeWithoutResult(status -> {
                    for (int page = 0; page < 10; page++) {
                        tornOut.add(template.save(memo("page " + page)).id());
                    }
                    throw new IllegalStateException("torn out");
                }))
                .withMessage("torn out");
        Memo kept = template.save(memo("kept"));

        assertThat(tornOut).hasSize(10).doesNotHaveDuplicates().allMatch(id -> id < kept.id());
        assertThat(template.findAllById(tornOut, Memo.class)).isEmpty();
        assertThat(template.findById(kept.id(), Memo.class)).isNotNull();
    }

    @Test
    void datesOfCreationAndChangeAreSetWithTheId() {
        Memo made = template.save(memo("milk"));
        Memo changed = template.save(new Memo(made.id(), "oat milk", made.created(), made.changed()));

        assertThat(made.id()).isPositive();
        assertThat(made.created()).isNotNull().isEqualTo(made.changed());
        assertThat(changed.id()).isEqualTo(made.id());
        assertThat(changed.created()).isEqualTo(made.created());
        assertThat(changed.changed()).isAfterOrEqualTo(made.changed());
    }

    private static Memo memo(String text) {
        return new Memo(null, text, null, null);
    }

    record Memo(
            @Id @SnowflakeId Long id,
            String text,
            @CreatedDate LocalDateTime created,
            @LastModifiedDate LocalDateTime changed) {}

    @EnableJdbcAuditing
    static class Auditing {}
}

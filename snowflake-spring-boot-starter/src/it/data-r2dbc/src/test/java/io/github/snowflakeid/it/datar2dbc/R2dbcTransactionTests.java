package io.github.snowflakeid.it.datar2dbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.snowflakeid.SnowflakeId;
import java.time.LocalDateTime;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.data.annotation.CreatedDate;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.LastModifiedDate;
import org.springframework.data.r2dbc.config.EnableR2dbcAuditing;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.transaction.annotation.Transactional;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Combines IDs with transactions and auditing. */
@SpringBootTest(classes = {R2dbcShop.class, R2dbcTransactionTests.Auditing.class})
class R2dbcTransactionTests {

    @Autowired
    private Notebook notebook;

    @Autowired
    private R2dbcEntityTemplate template;

    @Test
    void rolledBackTransactionKeepsNoRowAndItsIdsAreNotIssuedAgain() {
        assertThatIllegalStateException()
                .isThrownBy(() -> notebook.write(10, true).blockLast())
                .withMessage("torn out");
        List<Long> tornOut = List.copyOf(notebook.written());
        List<Note> kept = notebook.write(10, false).collectList().block();

        assertThat(tornOut).hasSize(10).doesNotHaveDuplicates();
        assertThat(kept).extracting(Note::id).hasSize(10).allMatch(id -> id > tornOut.get(9));
        assertThat(template.select(Note.class).all().map(Note::id).collectList().block())
                .containsAll(kept.stream().map(Note::id).toList())
                .doesNotContainAnyElementsOf(tornOut);
    }

    @Test
    void datesOfCreationAndChangeAreSetWithTheId() {
        Note made = template.insert(new Note(null, "milk", null, null)).block();
        Note changed = template.update(new Note(made.id(), "oat milk", made.created(), made.changed()))
                .block();

        assertThat(made.id()).isPositive();
        assertThat(made.created()).isNotNull().isEqualTo(made.changed());
        assertThat(changed.id()).isEqualTo(made.id());
        assertThat(changed.created()).isEqualTo(made.created());
        assertThat(changed.changed()).isAfterOrEqualTo(made.changed());
    }

    record Note(
            @Id @SnowflakeId Long id,
            String text,
            @CreatedDate LocalDateTime created,
            @LastModifiedDate LocalDateTime changed) {}

    static class Notebook {

        private final R2dbcEntityTemplate template;
        private final List<Long> written = new CopyOnWriteArrayList<>();

        Notebook(R2dbcEntityTemplate template) {
            this.template = template;
        }

        List<Long> written() {
            return written;
        }

        @Transactional
        Flux<Note> write(int notes, boolean tearOut) {
            return Flux.range(0, notes)
                    .concatMap(page -> template.insert(new Note(null, "page " + page, null, null)))
                    .doOnNext(note -> written.add(note.id()))
                    .concatWith(tearOut ? Mono.error(() -> new IllegalStateException("torn out")) : Mono.empty());
        }
    }

    @EnableR2dbcAuditing
    static class Auditing {

        @Bean
        Notebook notebook(R2dbcEntityTemplate template) {
            return new Notebook(template);
        }
    }
}

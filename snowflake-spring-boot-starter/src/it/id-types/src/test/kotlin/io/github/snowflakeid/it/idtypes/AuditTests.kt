package io.github.snowflakeid.it.idtypes

import io.github.snowflakeid.IdGenerator
import io.github.snowflakeid.SnowflakeId
import jakarta.persistence.Entity
import jakarta.persistence.EntityManager
import jakarta.persistence.EntityManagerFactory
import jakarta.persistence.Id
import java.util.concurrent.atomic.AtomicLong
import org.assertj.core.api.Assertions.assertThat
import org.hibernate.envers.AuditReaderFactory
import org.hibernate.envers.Audited
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.boot.test.context.TestConfiguration
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Primary
import org.springframework.test.context.TestPropertySource

/** Envers copies IDs to its tables of revisions. */
@JdbcTest
@TestPropertySource(properties = ["spring.jpa.hibernate.ddl-auto=create-drop"])
class AuditTests(@Autowired private val factory: EntityManagerFactory, @Autowired private val last: AtomicLong) {

    @TestConfiguration(proxyBeanMethods = false)
    open class Counter {

        @Bean
        fun last() = AtomicLong()

        @Bean
        @Primary
        fun ids(last: AtomicLong) = IdGenerator { last.incrementAndGet() }
    }

    @Entity(name = "plain_row")
    @Audited
    class PlainRow(@Id @SnowflakeId var id: Long? = null, var text: String? = null)

    @Entity(name = "typed_row")
    @Audited
    class TypedRow(@Id @SnowflakeId var id: RecordId? = null, var text: String? = null)

    @Test
    fun `revisions have the IDs of their rows and generate none`() {
        val plain = PlainRow(text = "first")
        val typed = TypedRow(text = "first")
        inTransaction {
            it.persist(plain)
            it.persist(typed)
        }
        inTransaction {
            it.find(PlainRow::class.java, plain.id).text = "second"
            it.find(TypedRow::class.java, typed.id).text = "second"
        }

        assertThat(listOf(plain.id, typed.id!!.value)).containsExactly(1, 2)
        assertThat(last.get()).isEqualTo(2)
        inTransaction {
            assertThat(it.createNativeQuery("select id from plain_row_aud", Long::class.java).resultList)
                .containsExactly(1L, 1L)
            val reader = AuditReaderFactory.get(it)
            val revisions = reader.getRevisions(TypedRow::class.java, typed.id)
            assertThat(revisions.map { revision -> reader.find(TypedRow::class.java, typed.id, revision) })
                .extracting("text")
                .containsExactly("first", "second")
        }
    }

    private fun inTransaction(work: (EntityManager) -> Unit) {
        val entities = factory.createEntityManager()
        entities.transaction.begin()
        work(entities)
        entities.transaction.commit()
        entities.close()
    }
}

package io.github.snowflakeid.it.idtypes

import com.baomidou.mybatisplus.core.conditions.query.QueryWrapper
import com.baomidou.mybatisplus.core.mapper.BaseMapper
import jakarta.persistence.EntityManagerFactory
import java.io.Serializable
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.MethodSource
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.boot.test.context.SpringBootTest
import org.springframework.data.jdbc.core.JdbcAggregateTemplate
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate
import org.springframework.data.relational.core.query.Criteria.where
import org.springframework.data.relational.core.query.Query.query
import org.springframework.transaction.annotation.Transactional

private const val EXCLUDE = "spring.autoconfigure.exclude="

/** Spring Boot creates no `DataSource` if there is a `ConnectionFactory`. */
private const val R2DBC = "org.springframework.boot.autoconfigure.r2dbc.R2dbcAutoConfiguration," +
    "org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration"

private const val MYBATIS = "org.mybatis.spring.boot.autoconfigure.MybatisAutoConfiguration"

private const val MYBATIS_PLUS = "com.baomidou.mybatisplus.autoconfigure.MybatisPlusAutoConfiguration"

@SpringBootTest(properties = ["$EXCLUDE$R2DBC,$MYBATIS_PLUS", "spring.datasource.generate-unique-name=true"])
annotation class JdbcTest

/** What each mapper does with each type of ID: it fills the ID, finds the row by it, in a list, and by a foreign key. */
abstract class IdTypeContract {

    abstract fun <R : Any, T : Any> insert(kind: Kind<R, T>, row: R): R

    abstract fun <R : Any, T : Any> find(kind: Kind<R, T>, id: T): R?

    abstract fun <R : Any, T : Any> findAll(kind: Kind<R, T>, ids: List<T>): List<R>

    abstract fun <R : Any, T : Any> findByPrevious(kind: Kind<R, T>, id: T): R?

    /** Returns the error of the mapper, or of its driver, for a type that it does not support. */
    open fun error(kind: Kind<*, *>): String? = null

    @ParameterizedTest
    @MethodSource("io.github.snowflakeid.it.idtypes.Kind#all")
    fun <R : Any, T : Any> `fills IDs and finds rows by them`(kind: Kind<R, T>) {
        val error = error(kind)
        if (error == null) {
            fillAndFind(kind)
        } else {
            assertThatThrownBy { fillAndFind(kind) }.hasMessageContaining(error)
        }
    }

    private fun <R : Any, T : Any> fillAndFind(kind: Kind<R, T>) {
        val first = kind.id(insert(kind, kind.create(null)))!!
        val next = kind.id(insert(kind, kind.create(first)))!!

        assertThat(next).isNotEqualTo(first)
        assertThat(first.toString()).matches(".*[1-9].*")
        val found = find(kind, first)!!
        assertThat(kind.id(found)).isEqualTo(first)
        assertThat(kind.previous(found)).isNull()
        assertThat(findAll(kind, listOf(first, next)).map(kind.id)).containsExactlyInAnyOrder(first, next)
        assertThat(findByPrevious(kind, first)?.let(kind.previous)).isEqualTo(first)
    }
}

@JdbcTest
class JpaIdTypeTests(@Autowired factory: EntityManagerFactory) : IdTypeContract() {

    private val entities = factory.createEntityManager()

    @BeforeEach
    fun begin() = entities.transaction.begin()

    @AfterEach
    fun rollBack() {
        entities.transaction.rollback()
        entities.close()
    }

    /**
     * An error of Hibernate, unless Kotlin's compiler has the plugin `jpa`: a constructor with value classes has no variant without
     * parameters.
     */
    override fun error(kind: Kind<*, *>): String? =
        if (kind.entity == ValueRow::class.java) "No default constructor for entity '${kind.entity.name}'" else null

    override fun <R : Any, T : Any> insert(kind: Kind<R, T>, row: R): R {
        entities.persist(row)
        entities.flush()
        entities.clear()
        return row
    }

    override fun <R : Any, T : Any> find(kind: Kind<R, T>, id: T): R? = entities.find(kind.entity, id)

    override fun <R : Any, T : Any> findAll(kind: Kind<R, T>, ids: List<T>): List<R> =
        select(kind, "id in :it", ids).resultList

    override fun <R : Any, T : Any> findByPrevious(kind: Kind<R, T>, id: T): R? =
        select(kind, "previous = :it", id).singleResult

    private fun <R : Any> select(kind: Kind<R, *>, condition: String, parameter: Any) =
        entities.createQuery("from $kind where $condition", kind.entity).setParameter("it", parameter)
}

@JdbcTest
@Transactional
class DataJdbcIdTypeTests(@Autowired private val template: JdbcAggregateTemplate) : IdTypeContract() {

    override fun <R : Any, T : Any> insert(kind: Kind<R, T>, row: R): R = template.save(row)

    override fun <R : Any, T : Any> find(kind: Kind<R, T>, id: T): R? = template.findById(id, kind.entity)

    override fun <R : Any, T : Any> findAll(kind: Kind<R, T>, ids: List<T>): List<R> =
        template.findAllById(ids, kind.entity).toList()

    override fun <R : Any, T : Any> findByPrevious(kind: Kind<R, T>, id: T): R? =
        template.findOne(query(where("previous").`is`(id)), kind.entity).orElse(null)
}

@SpringBootTest
class DataR2dbcIdTypeTests(@Autowired private val template: R2dbcEntityTemplate) : IdTypeContract() {

    /** An error of H2's driver. */
    override fun error(kind: Kind<*, *>): String? =
        if (kind.entity == BigRow::class.java) "Cannot encode parameter of type java.math.BigInteger" else null

    override fun <R : Any, T : Any> insert(kind: Kind<R, T>, row: R): R = template.insert(row).block()!!

    override fun <R : Any, T : Any> find(kind: Kind<R, T>, id: T): R? =
        template.selectOne(query(where("id").`is`(id)), kind.entity).block()

    override fun <R : Any, T : Any> findAll(kind: Kind<R, T>, ids: List<T>): List<R> =
        template.select(query(where("id").`in`(ids)), kind.entity).collectList().block()!!

    override fun <R : Any, T : Any> findByPrevious(kind: Kind<R, T>, id: T): R? =
        template.selectOne(query(where("previous").`is`(id)), kind.entity).block()
}

@JdbcTest
@Transactional
class MyBatisIdTypeTests(@Autowired private val mappers: Map<String, RowMapper<*, *>>) : IdTypeContract() {

    override fun <R : Any, T : Any> insert(kind: Kind<R, T>, row: R): R = row.also { mapper(kind).insert(kind.table, it) }

    override fun <R : Any, T : Any> find(kind: Kind<R, T>, id: T): R? = mapper(kind).find(kind.table, id)

    override fun <R : Any, T : Any> findAll(kind: Kind<R, T>, ids: List<T>): List<R> = mapper(kind).findAll(kind.table, ids)

    override fun <R : Any, T : Any> findByPrevious(kind: Kind<R, T>, id: T): R? =
        mapper(kind).findByPrevious(kind.table, id)

    @Suppress("UNCHECKED_CAST")
    private fun <R : Any, T : Any> mapper(kind: Kind<R, T>) = mappers.getValue("${kind.bean}Mapper") as RowMapper<R, T>
}

@SpringBootTest(properties = ["$EXCLUDE$R2DBC,$MYBATIS", "spring.datasource.generate-unique-name=true"])
@Transactional
class MyBatisPlusIdTypeTests(@Autowired private val mappers: Map<String, BaseMapper<*>>) : IdTypeContract() {

    override fun <R : Any, T : Any> insert(kind: Kind<R, T>, row: R): R = row.also { mapper(kind).insert(it) }

    override fun <R : Any, T : Any> find(kind: Kind<R, T>, id: T): R? = mapper(kind).selectById(id as Serializable)

    override fun <R : Any, T : Any> findAll(kind: Kind<R, T>, ids: List<T>): List<R> =
        mapper(kind).selectByIds(ids.map { it as Serializable })

    override fun <R : Any, T : Any> findByPrevious(kind: Kind<R, T>, id: T): R? =
        mapper(kind).selectOne(QueryWrapper<R>().eq("previous", id))

    @Suppress("UNCHECKED_CAST")
    private fun <R : Any> mapper(kind: Kind<R, *>) = mappers.getValue("${kind.bean}BaseMapper") as BaseMapper<R>
}

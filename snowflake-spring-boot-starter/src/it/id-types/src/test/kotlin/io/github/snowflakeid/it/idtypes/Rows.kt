package io.github.snowflakeid.it.idtypes

import com.baomidou.mybatisplus.core.mapper.BaseMapper
import io.github.snowflakeid.SnowflakeId
import jakarta.persistence.Entity
import java.io.Serializable
import java.math.BigInteger
import org.apache.ibatis.annotations.Insert
import org.apache.ibatis.annotations.Mapper
import org.apache.ibatis.annotations.Param
import org.apache.ibatis.annotations.Select
import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.data.annotation.Id
import org.springframework.data.relational.core.mapping.Table
import org.springframework.data.util.ParsingUtils
import jakarta.persistence.Id as JpaId

@SpringBootApplication(proxyBeanMethods = false)
class IdTypesShop

data class DataId(val value: Long) : Serializable

@JvmInline value class ValueId(val value: Long) : Serializable

/** Entities of all mappers, with a foreign key to a row of the same table. */
@Entity @Table
class PrimitiveRow(@JpaId @Id @SnowflakeId var id: Long = 0, var previous: Long? = null)

@Entity @Table
class LongRow(@JpaId @Id @SnowflakeId var id: Long? = null, var previous: Long? = null)

@Entity @Table
class IntegerRow(@JpaId @Id @SnowflakeId("numbers") var id: Int? = null, var previous: Int? = null)

@Entity @Table
class TextRow(@JpaId @Id @SnowflakeId var id: String? = null, var previous: String? = null)

@Entity @Table
class BigRow(@JpaId @Id @SnowflakeId var id: BigInteger? = null, var previous: BigInteger? = null)

@Entity @Table
class RecordRow(@JpaId @Id @SnowflakeId var id: RecordId? = null, var previous: RecordId? = null)

@Entity @Table
class DataRow(@JpaId @Id @SnowflakeId var id: DataId? = null, var previous: DataId? = null)

@Entity @Table
class ValueRow(@JpaId @Id @SnowflakeId var id: ValueId? = null, var previous: ValueId? = null)

@Entity @Table
class ValueInBodyRow {
    @JpaId @Id @SnowflakeId var id: ValueId? = null
    var previous: ValueId? = null
}

/** Its ID is compiled to a `long`. */
@Entity @Table
class UnboxedRow {
    @JpaId @Id @SnowflakeId var id: ValueId = ValueId(0)
    var previous: Long? = null
}

/** How the tests use an entity. */
class Kind<R : Any, T : Any>(
    val entity: Class<R>,
    val create: (T?) -> R,
    val id: (R) -> T?,
    val previous: (R) -> T?,
) {
    val table = ParsingUtils.reconcatenateCamelCase(entity.simpleName, "_")

    val bean = entity.simpleName.replaceFirstChar { it.lowercase() }

    override fun toString(): String = entity.simpleName


    companion object {
        @JvmStatic
        fun all() = listOf<Kind<*, *>>(
            Kind<PrimitiveRow, Long>(PrimitiveRow::class.java, { PrimitiveRow(previous = it) }, { it.id }, { it.previous }),
            Kind<LongRow, Long>(LongRow::class.java, { LongRow(previous = it) }, { it.id }, { it.previous }),
            Kind<IntegerRow, Int>(IntegerRow::class.java, { IntegerRow(previous = it) }, { it.id }, { it.previous }),
            Kind<TextRow, String>(TextRow::class.java, { TextRow(previous = it) }, { it.id }, { it.previous }),
            Kind<BigRow, BigInteger>(BigRow::class.java, { BigRow(previous = it) }, { it.id }, { it.previous }),
            Kind<RecordRow, RecordId>(RecordRow::class.java, { RecordRow(previous = it) }, { it.id }, { it.previous }),
            Kind<DataRow, DataId>(DataRow::class.java, { DataRow(previous = it) }, { it.id }, { it.previous }),
            Kind<ValueRow, ValueId>(ValueRow::class.java, { ValueRow(previous = it) }, { it.id }, { it.previous }),
            Kind<ValueInBodyRow, ValueId>(
                ValueInBodyRow::class.java,
                { ValueInBodyRow().apply { previous = it } },
                { it.id },
                { it.previous },
            ),
            Kind<UnboxedRow, Long>(UnboxedRow::class.java, { UnboxedRow().apply { previous = it } }, { it.id.value }, { it.previous }),
        )
    }
}

/** What all mappers of MyBatis have in common. */
interface RowMapper<R, T> {

    @Insert("insert into \${table} (id, previous) values (#{row.id}, #{row.previous})")
    fun insert(@Param("table") table: String, @Param("row") row: R)

    @Select("select * from \${table} where id = #{id}")
    fun find(@Param("table") table: String, @Param("id") id: T): R

    @Select("select * from \${table} where previous = #{id}")
    fun findByPrevious(@Param("table") table: String, @Param("id") id: T): R

    @Select(
        "<script>select * from \${table} where id in " +
            "<foreach collection=\"ids\" item=\"id\" open=\"(\" separator=\",\" close=\")\">#{id}</foreach></script>",
    )
    fun findAll(@Param("table") table: String, @Param("ids") ids: List<T>): List<R>
}

@Mapper interface PrimitiveRowMapper : RowMapper<PrimitiveRow, Long>

@Mapper interface LongRowMapper : RowMapper<LongRow, Long>

@Mapper interface IntegerRowMapper : RowMapper<IntegerRow, Int>

@Mapper interface TextRowMapper : RowMapper<TextRow, String>

@Mapper interface BigRowMapper : RowMapper<BigRow, BigInteger>

@Mapper interface RecordRowMapper : RowMapper<RecordRow, RecordId>

@Mapper interface DataRowMapper : RowMapper<DataRow, DataId>

@Mapper interface ValueRowMapper : RowMapper<ValueRow, ValueId>

@Mapper interface ValueInBodyRowMapper : RowMapper<ValueInBodyRow, ValueId>

@Mapper interface UnboxedRowMapper : RowMapper<UnboxedRow, Long>

@Mapper interface PrimitiveRowBaseMapper : BaseMapper<PrimitiveRow>

@Mapper interface LongRowBaseMapper : BaseMapper<LongRow>

@Mapper interface IntegerRowBaseMapper : BaseMapper<IntegerRow>

@Mapper interface TextRowBaseMapper : BaseMapper<TextRow>

@Mapper interface BigRowBaseMapper : BaseMapper<BigRow>

@Mapper interface RecordRowBaseMapper : BaseMapper<RecordRow>

@Mapper interface DataRowBaseMapper : BaseMapper<DataRow>

@Mapper interface ValueRowBaseMapper : BaseMapper<ValueRow>

@Mapper interface ValueInBodyRowBaseMapper : BaseMapper<ValueInBodyRow>

@Mapper interface UnboxedRowBaseMapper : BaseMapper<UnboxedRow>

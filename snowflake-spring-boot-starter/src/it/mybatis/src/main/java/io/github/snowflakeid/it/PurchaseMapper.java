package io.github.snowflakeid.it;

import java.util.List;
import java.util.Map;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Mapper;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.annotations.Update;

@Mapper
public interface PurchaseMapper {

    @Insert("insert into purchase (id, customer) values (#{id}, #{customer})")
    void insert(Purchase purchase);

    @Insert("insert into purchase (id, customer) values (#{it.id}, #{it.customer})")
    void insertNamed(@Param("it") Purchase purchase);

    @Insert("insert into purchase (id, customer) values (#{purchase.id}, #{customer})")
    void insertFor(@Param("customer") String customer, @Param("purchase") Purchase purchase);

    @Insert(
            "insert into purchase (id, customer) values (#{first.id}, #{first.customer}), (#{second.id}, #{second.customer})")
    void insertBoth(@Param("first") Purchase first, @Param("second") Purchase second);

    @Insert("""
            <script>
            insert into purchase (id, customer) values
            <foreach collection="list" item="it" separator=",">(#{it.id}, #{it.customer})</foreach>
            </script>""")
    void insertAll(List<Purchase> purchases);

    @Insert("""
            <script>
            insert into purchase (id, customer) values
            <foreach collection="array" item="it" separator=",">(#{it.id}, #{it.customer})</foreach>
            </script>""")
    void insertArray(Purchase... purchases);

    @Insert("""
            <script>
            insert into purchase (id, customer) values
            <foreach collection="byTable" item="each" separator=",">
                <foreach collection="each" item="it" separator=",">(#{it.id}, #{it.customer})</foreach>
            </foreach>
            </script>""")
    void insertGroups(@Param("byTable") Map<String, List<Purchase>> purchases);

    @Update("update purchase set customer = #{customer} where id = #{id}")
    int update(Purchase purchase);

    @Select("select id, customer from purchase order by id")
    List<Purchase> findAll();
}

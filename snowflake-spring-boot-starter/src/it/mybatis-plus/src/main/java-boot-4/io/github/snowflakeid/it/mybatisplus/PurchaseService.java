package io.github.snowflakeid.it.mybatisplus;

import com.baomidou.mybatisplus.spring.service.impl.ServiceImpl;
import org.springframework.stereotype.Service;

@Service
public class PurchaseService extends ServiceImpl<MyBatisPlusPurchaseMapper, MyBatisPlusPurchase> {}

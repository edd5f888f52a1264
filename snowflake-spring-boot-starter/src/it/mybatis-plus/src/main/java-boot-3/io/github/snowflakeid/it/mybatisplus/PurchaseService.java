package io.github.snowflakeid.it.mybatisplus;

import com.baomidou.mybatisplus.extension.service.impl.ServiceImpl;
import org.springframework.stereotype.Service;

@Service
public class PurchaseService extends ServiceImpl<MyBatisPlusPurchaseMapper, MyBatisPlusPurchase> {}

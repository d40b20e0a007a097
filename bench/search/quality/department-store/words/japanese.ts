import { list } from '../../words/shop-words.ts';
import type { StoreWords } from './store-words.ts';

export const japanese: StoreWords = {
  locale: 'ja',
  unspaced: true,
  kinds: `
    shoe | | 靴 | 靴
    boot | | ブーツ | ブーツ | | ﾌﾞｰﾂ
    sandal | | サンダル | サンダル | | さんだる
    slipper | | スリッパ | スリッパ | | すりっぱ
    running shoe | | ランニングシューズ | ランニングシューズ | | ランニング シューズ
    hiking boot | | 登山靴 | 登山靴 | | 登山 靴
    child's shoe | | 子供靴 | 子供靴 | | 子供 靴
    dress | | ワンピース | ワンピース | | ワン ピース
    shirt | | シャツ | シャツ | | しゃつ
    blouse | | ブラウス | ブラウス
    skirt | | スカート | スカート
    pants | | ズボン | ズボン | | ずぼん
    jacket | | ジャケット | ジャケット | | ジャケツト
    winter jacket | | ダウンジャケット | ダウンジャケット | | ダウン ジャケット
    coat | | コート | コート
    raincoat < coat | | レインコート | レインコート | | レイン コート
    sweater | | セーター | セーター
    sock | | 靴下 | 靴下
    hat | | 帽子 | 帽子
    glove | | 手袋 | 手袋
    scarf | | マフラー | マフラー
    belt | | ベルト | ベルト
    bag | | バッグ | バッグ
    handbag < bag | | ハンドバッグ | ハンドバッグ | | ハンド バッグ
    backpack | | リュックサック | リュックサック | | リュック サック
    suitcase | | スーツケース | スーツケース | | スーツ ケース
    wallet | | 財布 | 財布
    umbrella | | 折りたたみ傘 | 折りたたみ傘 | | 折りたたみ 傘
    watch | | 腕時計 | 腕時計 | | 腕 時計
    sunglasses | | サングラス | サングラス
    chair | | 椅子 | 椅子
    office chair | | オフィスチェア | オフィスチェア | | オフィス チェア, オフィスチェアー
    table | | テーブル | テーブル
    coffee table < table | | コーヒーテーブル | コーヒーテーブル | | コーヒー テーブル
    sofa | | ソファ | ソファ | | ソファー
    bed | | ベッド | ベッド
    bookshelf | | 本棚 | 本棚
    wardrobe | | 洋服だんす | 洋服だんす
    mirror | | 鏡 | 鏡
    lamp | | ランプ | ランプ
    desk lamp | | デスクライト | デスクライト | | デスク ライト
    mattress | | マットレス | マットレス
    pillow | | 枕 | 枕
    cushion | | クッション | クッション
    blanket | | 毛布 | 毛布
    towel | | タオル | タオル
    bath towel < towel | | バスタオル | バスタオル | | バス タオル
    curtain | | カーテン | カーテン
    carpet | | カーペット | カーペット
    vase | | 花瓶 | 花瓶
    candle | | キャンドル | キャンドル
    knife | | 包丁 | 包丁
    bread knife | | パン切りナイフ | パン切りナイフ | | パン切り ナイフ
    spoon | | スプーン | スプーン
    fork | | フォーク | フォーク
    plate | | お皿 | お皿 | | 皿
    cup | | マグカップ | マグカップ | | マグ カップ
    glass | | グラス | グラス
    wine glass < glass | | ワイングラス | ワイングラス | | ワイン グラス
    pot | | 鍋 | 鍋
    pan | | フライパン | フライパン
    kettle | | 電気ケトル | 電気ケトル | | 電気 ケトル
    bottle | | 水筒 | 水筒
    coffee machine | | コーヒーメーカー | コーヒーメーカー | | コーヒー メーカー, コーヒーメーカ
    toaster | | トースター | トースター | | トースタ
    phone | | スマートフォン | スマートフォン
    headphones | | ヘッドホン | ヘッドホン | | ヘッド ホン
    charger | | 充電器 | 充電器
    cable | | ケーブル | ケーブル
    keyboard | | キーボード | キーボード | | キー ボード
    ball | | サッカーボール | サッカーボール | | サッカー ボール
    doll | | 人形 | 人形
    bicycle | | 自転車 | 自転車
    helmet | | ヘルメット | ヘルメット
    tent | | テント | テント
    sleeping bag | | 寝袋 | 寝袋
    hammer | | ハンマー | ハンマー | | ハンマ
    drill | | 電動ドリル | 電動ドリル | | 電動 ドリル
    saw | | のこぎり | のこぎり | | ノコギリ
    ladder | | はしご | はしご | | ハシゴ
    bucket | | バケツ | バケツ | | ばけつ
    watering can | | じょうろ | じょうろ | | ジョウロ
    shovel | | スコップ | スコップ
    toothbrush | | 歯ブラシ | 歯ブラシ | | 歯 ブラシ`,
  colours: `
    red | 赤 | 赤い | 赤い | 赤い
    blue | 青 | 青い | 青い | 青い
    black | 黒 | 黒い | 黒い | 黒い
    white | 白 | 白い | 白い | 白い
    green | 緑 | 緑の | 緑の
    yellow | 黄色 | 黄色い | 黄色い | 黄色い
    grey | グレー | グレーの | グレーの
    brown | 茶色 | 茶色い | 茶色い | 茶色い`,
  coloured: '{adjective}{kind}',
  materials: list('本革 オーク コットン ウール ステンレス プラスチック リネン 竹'),
  departments: list('履物 衣料品 旅行用品 家具・インテリア ファブリック キッチン用品 家電 スポーツ・玩具 工具・園芸'),
  names: [
    '{colour}の{kind} {model}',
    '{kind} {model} {colour}',
    '{brand} {material}製{kind} {model}',
    '{material}{kind} {model}',
  ],
  goesWith: [
    '当店の{one}や{other}ともよく合います。',
    '{one}と{other}もあわせてご覧ください。',
    '{one}または{other}と一緒によく購入されています。',
  ],
  fillers: [
    '少量生産で丁寧に作られています。',
    '長年お客様に愛されているモデルです。',
    '誰にでも喜ばれる贈り物です。',
    '三営業日以内にお届けします。',
    '毎日使えるシンプルなデザイン。',
    '三代続く家族経営の会社の品です。',
  ],
  features: `
    表面は傷に強い加工です。 | 傷に強い
    通気性のよい生地です。 | 通気性
    第三者機関で検査済みです。 | 第三者機関 検査
    デンマークの建築家が設計しました。 | デンマーク 建築家
    包装は堆肥化できます。 | 堆肥化
    五年保証つきです。 | 五年保証
    アレルギーの方にも安心です。 | アレルギー
    ポルトガルで手縫いされています。 | ポルトガル 手縫い
    折り畳んで収納できます。 | 折り畳み 収納
    組み立てにネジは不要です。 | ネジ不要
    雨のあともすぐ乾きます。 | すぐ乾く
    肌にやさしく無臭です。 | 無臭`,
  withSmallWords: ['{colour}の{kind}', '{adjective}{kind}が欲しい', 'この{kind}を{colour}で', '家のための{kind}'],
  withRequests: [
    '娘のための{colour}の{kind}を探しています',
    '安い{kind}はどこで買えますか',
    '仕事用の{kind}はありますか',
  ],
  unknown: list('宇宙飛行士 滝 国会 憲法'),
  sentences: `
    息子の靴 サイズ36 | shoe | | 36
    結婚式 赤いワンピース | dress | red
    黒いブーツ 38 | boot | black | 38
    よく切れる包丁 | knife
    90x200のマットレス | mattress | | 90x200
    青いジャケット L | jacket | blue | L
    子供用自転車 | bicycle
    白いテーブル | table | white`,
  letters: 'アカサタナマラン',
};

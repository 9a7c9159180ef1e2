//! scratch
use outflank::*;
fn main(){
    let a: Vec<String> = std::env::args().collect();
    let level: Level = a[1].parse().unwrap();
    if a[2]=="perft" { let t=std::time::Instant::now(); let n=outflank::search::perft(level, Board::START, a[3].parse().unwrap(), outflank::search::Passes::Plies).unwrap(); println!("{n} {:?}", t.elapsed()); return; }
    let text=std::fs::read_to_string(&a[2]).unwrap();
    let lo: usize = a.get(3).map_or(0,|x|x.parse().unwrap()); let hi: usize = a.get(4).map_or(99,|x|x.parse().unwrap());
    let mut s=Solver::new(level,512).unwrap();
    let (mut n, mut t)=(0u64,0.0);
    for (i,l) in text.lines().filter(|l|!l.starts_with('%') && l.len()>66).enumerate().filter(|(i,_)|*i>=lo&&*i<=hi){
        let b=l.as_bytes(); let me=b[65]; let mut bd=Board{player:0,opponent:0};
        for k in 0..64 { if b[k]==b'-' {continue} if b[k]==me {bd.player|=1<<k} else {bd.opponent|=1<<k} }
        s.clear();
        let r=s.solve(bd,Window::EXACT).unwrap();
        let exp: i32 = l.split(';').nth(1).unwrap().split(':').nth(1).unwrap().parse().unwrap();
        println!("{:2} {:2} {:+} {:>11} {:.3} {} {}", i, bd.empty_count(), r.score, r.nodes, r.time.as_secs_f64(), if r.score==exp {""} else {"WRONG"}, r.line.iter().map(|p|p.map_or("PS".into(),|s|s.to_string())).collect::<Vec<_>>().join(" "));
        n+=r.nodes; t+=r.time.as_secs_f64();
    }
    println!("total {n} {t:.3} {:.1} MN/s", n as f64/t/1e6);
}
